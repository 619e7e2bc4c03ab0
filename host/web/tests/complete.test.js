/** Completion and documentation of fields that have a shape of Kubernetes, to its innermost field. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { load } from './load.js';

const { at, completeBySchema, kindsOf } = await load('schema/complete.ts', 'schema/schema.ts');

const KIND = { apiVersion: 'model.otterscale.io/v1alpha1', kind: 'ModelService' };
const FOLDER = '../../../crates/inference/src/otterscale/model_service';
const definition = readFileSync(resolve(import.meta.dirname, FOLDER, 'definition.json'), 'utf8');
const { composites } = kindsOf([{ kind: KIND, definition }], []);

test('keys of variables, resources and tolerations are completed', () => {
  const env = 'engine:\n    env:\n    - ';
  check(`${env}|`, 'name value valueFrom');
  check(`${env}name: A\n      |`, 'value valueFrom');
  check(`${env}valueFrom:\n        |`, 'configMapKeyRef fieldRef fileKeyRef resourceFieldRef secretKeyRef');
  check(`${env}valueFrom:\n        secretKeyRef:\n          |`, 'key name optional');
  check('decode:\n    resources:\n      |', 'claims limits requests');
  check('prefill:\n    tolerations:\n    - key: a\n      |', 'effect operator tolerationSeconds value');
  check('inferencePool:\n    endpointPicker:\n      resources: {|', 'claims limits requests');
});

test('fields of these shapes are documented', () => {
  const { schema } = [...composites.values()][0];
  const documented = (path) => at(schema, ['spec', ...path.split(' ')])?.description ?? '';
  assert.match(documented('engine env 0 valueFrom secretKeyRef key'), /key of the secret/);
  assert.match(documented('prefill tolerations 0 operator'), /Exists/);
  assert.match(documented('decode resources limits'), /maximum amount of compute resources/);
});

function check(marked, labels) {
  const text = `apiVersion: ${KIND.apiVersion}\nkind: ${KIND.kind}\nspec:\n  ${marked}`;
  const state = EditorState.create({ doc: text.replace('|', '') });
  const found = completeBySchema(() => composites)(new CompletionContext(state, text.indexOf('|'), true));
  const keys = (found?.options ?? []).map(({ label }) => label);
  assert.equal(keys.sort().join(' '), labels, marked);
}
