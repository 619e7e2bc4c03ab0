/** The grammar of the texts holds for any text. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yamlLanguage } from '@codemirror/lang-yaml';
import { load } from './load.js';

const { grammar } = await load('editor/grammar.ts');

test('a text that is nested too deep for the stack is read as a tree without nodes', () => {
  const text = '['.repeat(10_000);
  const { parser } = grammar.language;
  const below = (calls, parse) => (calls === 0 ? parse() : below(calls - 1, parse));
  let calls = 0;
  const overflows = () => {
    try {
      below(calls, () => yamlLanguage.parser.parse(text));
      return false;
    } catch {
      return true;
    }
  };
  while (!overflows()) {
    calls += 100;
  }
  const tree = below(calls, () => parser.parse(text));
  assert.deepEqual([tree.length, tree.children.length], [text.length, 0]);
});

test('any other text is read as YAML', () => {
  const text = 'a: [b, c]\n';
  assert.equal(grammar.language.parser.parse(text).toString(), yamlLanguage.parser.parse(text).toString());
});
