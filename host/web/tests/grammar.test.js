/** The grammar of the texts holds for any text. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yamlLanguage } from '@codemirror/lang-yaml';
import { load } from './load.js';

const { grammar } = await load('editor/grammar.ts');

test('a text that is nested too deep for the parser is read as a tree without nodes', () => {
  const text = '['.repeat(200_000);
  assert.throws(() => yamlLanguage.parser.parse(text), RangeError);
  const tree = grammar().language.parser.parse(text);
  assert.deepEqual([tree.length, tree.children.length], [text.length, 0]);
});

test('any other text is read as YAML', () => {
  const text = 'a: [b, c]\n';
  assert.equal(grammar().language.parser.parse(text).toString(), yamlLanguage.parser.parse(text).toString());
});
