/** The template for Backstage: its form, and the manifests that it fills. Sailplane checks and renders each. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import * as scaffolder from '@backstage/plugin-scaffolder-common';
import Ajv from 'ajv';
import nunjucks from 'nunjucks';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../../..');
const SAILPLANE = resolve(ROOT, process.env.SAILPLANE ?? 'target/debug/sailplane-under-test');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

const template = parse(read('package/backstage/template.yaml'));
const skeleton = read('package/backstage/manifest-templates/cluster.yaml');
const definition = parse(read('package/gpu-cluster/definition-cluster.yaml'));
const fields = definition.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.parameters.properties;
const pages = template.spec.parameters;
const step = (id) => template.spec.steps.find((it) => it.id === id);

/** As Backstage has it: no escaping, and delimiters that are no JavaScript. */
const env = new nunjucks.Environment(null, {
  autoescape: false,
  tags: { variableStart: '${{', variableEnd: '}}' },
});

/** What a form has when a user leaves it alone. */
function defaults(schema) {
  if (schema.default !== undefined) {
    return structuredClone(schema.default);
  }
  if (schema.type === 'object' || schema.properties) {
    const entries = Object.entries(schema.properties).map(([name, inner]) => [name, defaults(inner)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  return undefined;
}

function merged(base, more) {
  const isObject = (it) => typeof it === 'object' && it !== null && !Array.isArray(it);
  if (!isObject(base) || !isObject(more)) {
    return more;
  }
  const entries = Object.entries(more).map(([key, value]) => [key, key in base ? merged(base[key], value) : value]);
  return { ...base, ...Object.fromEntries(entries) };
}

/** A text of a step, as Backstage fills it: what is one expression alone keeps its type. */
function filled(text, parameters) {
  const alone = /^\$\{\{ parameters\.(\w+) \}\}$/.exec(text);
  return alone ? parameters[alone[1]] : env.renderString(text, { parameters });
}

/** The manifest that a form becomes. */
function manifest(input) {
  const parameters = merged(Object.assign({}, ...pages.map(defaults)), input);
  for (const page of pages) {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(page);
    const own = Object.fromEntries(Object.entries(parameters).filter(([name]) => name in page.properties));
    assert.ok(validate(own), `${page.title}: ${JSON.stringify(validate.errors)}`);
  }
  const given = Object.entries(step('fetch-template').input.values);
  const values = Object.fromEntries(given.map(([name, text]) => [name, filled(text, parameters)]));
  return env.renderString(skeleton, { values });
}

const folder = mkdtempSync(join(tmpdir(), 'backstage-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function sailplane(...args) {
  return execFileSync(SAILPLANE, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const who = { name: 'a-team', namespace: 'a-team', repository: 'platform' };

/** What is filled in, the pool of nodes with GPUs, the releases of applications, and what else is composed. */
const inputs = [
  ['nothing but names', who, undefined, [], ['N-ns-dev', 'N-ns-production']],
  [
    'the acceptance',
    { ...who, gpu: { enabled: true, nodeSize: 'medium' }, nvidia: { enabled: true } },
    'eksnodegroup-gpu',
    ['gpu-operator'],
    ['eksnodegroup-gpu'],
  ],
  [
    'Azure with GPUs',
    { ...who, provider: 'azure', gpu: { enabled: true }, nvidia: { enabled: true } },
    'N-gpu',
    ['cilium', 'gpu-operator'],
    [],
  ],
  [
    'Google Cloud with an accelerator by name',
    { ...who, provider: 'google', gpu: { enabled: true, accelerator: 'L4', minNodeCount: 0, capacity: 'Spot' } },
    'N-gpu',
    ['cilium'],
    [],
  ],
  ['empty lists', { ...who, namespaces: [], zones: [], version: '1.33', nodeSize: 'large', minNodeCount: 3 }, undefined, [], []],
  [
    'another region, and texts that are YAML',
    { ...who, region: 'eu-west-1', zones: ['eu-west-1a', 'eu-west-1b'], version: '1.30', namespaces: ['on', '123', 'null'] },
    undefined,
    [],
    ['N-ns-on', 'N-ns-123', 'N-ns-null'],
  ],
  [
    'applications without settings',
    { ...who, openfunction: { enabled: true }, traefik: { enabled: false }, crossplane: { enabled: true } },
    undefined,
    ['crossplane', 'openfunction'],
    [],
  ],
  [
    'applications with settings, and secrets',
    {
      ...who,
      traefik: { enabled: true },
      usage: { enabled: true },
      argocd: { enabled: true, host: 'argo.example.org', repoURL: 'https://github.com/acme/platform', destinationNamespace: 'dev' },
      creds: { name: 'aws-creds', namespace: 'crossplane-system', keys: ['accessKeyID', 'secretAccessKey'] },
      externalSecrets: {
        enabled: true,
        store: true,
        secrets: [{ fromSecret: 'registry: "x"', toSecret: 'registry', toNamespace: 'dev', type: 'kubernetes.io/dockerconfigjson' }],
      },
    },
    undefined,
    ['argo-cd', 'external-secrets', 'traefik'],
    ['N-creds', 'N-app-secret-store', 'N-secret-registry', 'N-app-argo-cd-app'],
  ],
];

for (const [title, input, pool, releases, more] of inputs) {
  test(`a manifest: ${title}`, () => {
    const text = manifest(input);
    const file = join(folder, `${title.replaceAll(' ', '-')}.yaml`);
    writeFileSync(file, text);
    sailplane('check', file);
    const composition = `package/gpu-cluster/composition-cluster-${input.provider ?? 'aws'}.yaml`;
    const documents = JSON.parse(sailplane('render', file, composition, '--output', 'json', '--include-full-xr'));
    const [composite, ...composed] = documents;
    const keys = composed.map((it) => it.metadata.annotations['crossplane.io/composition-resource-name']);
    const named = (key) => key.replace(/^N-/, `${who.name}-`);
    const pools = keys.filter((key) => ['eksnodegroup-gpu', named('N-gpu')].includes(key));
    assert.deepEqual(pools, pool ? [named(pool)] : [], text);
    const installed = composed.filter((it) => it.kind === 'Release');
    assert.deepEqual(installed.map((it) => it.metadata.annotations['crossplane.io/external-name']).sort(), releases, text);
    for (const key of more.map(named)) {
      assert.ok(keys.includes(key), `no ${key} in ${keys}`);
    }
    // What was filled in is what is stored.
    const stored = composite.spec.parameters;
    for (const [name, value] of Object.entries(input)) {
      const found = name in fields ? stored[name] : stored.apps[name];
      if (name in fields || name in fields.apps.properties) {
        if (name === 'zones' && value.length === 0) {
          assert.equal(found, undefined);
          continue;
        }
        assert.deepEqual(found, typeof value === 'object' && !Array.isArray(value) ? { ...found, ...value } : value, name);
      }
    }
  });
}

test("the template is valid by the scaffolder's schema", async () => {
  assert.equal(await scaffolder.templateEntityV1beta3Validator.check(template), true);
  assert.equal(await scaffolder.templateEntityV1beta3Validator.check({ ...template, kind: 'Cluster' }), false);
  const steps = template.spec.steps.map((it) => it.action);
  assert.deepEqual(steps, ['debug:log', 'fetch:template', 'fs:rename', 'publish:github:pull-request']);
});

test('every field of the definition is in the form once, and is filled in', () => {
  const shown = pages.flatMap((page) => Object.keys(page.properties));
  assert.equal(new Set(shown).size, shown.length);
  const of = ({ apps, ...others }) => [...Object.keys(others), ...Object.keys(apps.properties)];
  const own = ['name', 'provider', 'namespace', 'repository', 'repositoryUser'];
  assert.deepEqual(shown.toSorted(), [...own, ...of(fields)].toSorted());
  const { values } = step('fetch-template').input;
  const copied = shown.filter((name) => !['repository', 'repositoryUser'].includes(name));
  assert.deepEqual(values, Object.fromEntries(copied.toSorted().map((name) => [name, `\${{ parameters.${name} }}`])));
});

test('a form without a name is not complete', () => {
  assert.throws(() => manifest({ namespace: 'a-team', repository: 'platform' }), /Service Selector.*name/);
  assert.throws(() => manifest({ ...who, nodeSize: 'huge' }), /Service Definition/);
});
