/**
 * Scenes: examples in circumstances that show something, i.e. with what is observed, other objects, options, a time, or all of it
 * ready. They name examples of the catalog, and are there only when the catalog has these.
 */

import type { Entry } from './contract.ts';
import type { Content } from './desk.ts';
import type { Answer, Resource } from './render/answer.ts';
import { shownOf } from './render/object.ts';
import type { Example } from './state.ts';

interface Row {
  /** What it shows, in one sentence. */
  title: string;
  /** The examples in **Manifest** and in **Required**, by name. */
  manifest: readonly string[];
  required?: readonly string[];
  /** The text of **Options**: the catalog has no examples of step inputs. */
  options?: string;
  /** Which of what is composed is observed as ready: all of it, or all but the first object of a kind. Absent: nothing is observed. */
  observed?: { notReady?: string };
  /** The time that compositions get. Absent: none. */
  time?: string;
  /** Whether **All ready** is on. */
  settled?: boolean;
}

/** A scene that can be shown. */
export interface Scene extends Row {
  /** All texts but **Observed**, which is made of the result of the others. */
  texts: Content;
}

const ROWS: readonly Row[] = [
  {
    title: 'A model whose Ingress is not ready yet',
    manifest: ['llm-qwen'],
    observed: { notReady: 'Ingress' },
  },
  {
    title: 'A cluster and a model on it, once all of it is ready',
    manifest: ['model-on-cluster'],
    settled: true,
  },
  {
    title: 'A cluster on Google Cloud that waits for its pool of GPUs only',
    manifest: ['google-gke-gpu'],
    observed: { notReady: 'NodePool' },
  },
  {
    title: 'A cluster on AWS that waits for a pool of nodes only',
    manifest: ['aws-eks-gpu'],
    observed: { notReady: 'NodeGroup' },
  },
  {
    title: 'A model that finds places in a fleet of clusters',
    manifest: ['deployment-qwen'],
    required: ['fleet'],
  },
  {
    title: 'A model that waits for a place until its cache is there',
    manifest: ['deployment-kimi'],
    required: ['fleet'],
  },
  {
    title: 'Two models that share a pool with memory for one of them',
    manifest: ['model-shared-pool'],
    options: `apiVersion: sailplane.fn.crossplane.io/v1alpha1
kind: Options
inferenceModel:
  pools:
    gpu-a100: 100Gi
`,
    time: '2026-01-31T12:00:00Z',
  },
  {
    title: 'A service whose weights are not in the registry yet',
    manifest: ['serve-imported'],
    observed: { notReady: 'Job' },
  },
];

/** The examples for a first visit, by name: the simplest of each API, and what people write first comes first. */
const FIRST = ['llm-qwen', 'deployment-qwen', 'serve-qwen', 'model-shared-pool', 'google-gke-gpu', 'cluster-gke'];

/** How many examples a first visit begins with. */
const MOST_AT_FIRST = 6;

/** The examples of the catalog. */
export function examplesOf(kinds: readonly Entry[]): Example[] {
  return kinds.flatMap(({ kind, examples }) => examples.map((example): Example => ({ kind: kind.kind, ...example })));
}

/** The examples to begin with. Of a catalog without these, the first of each kind. */
export function firstOf(examples: readonly Example[]): Example[] {
  const known = FIRST.flatMap((name) => examples.find((example) => example.name === name) ?? []);
  const others = examples.filter(({ kind, name }) => examples.find((other) => other.kind === kind)?.name === name);
  return [...new Set([...known, ...others])].slice(0, MOST_AT_FIRST);
}

/** The scenes whose examples are all there. */
export function scenesIn(examples: readonly Example[]): Scene[] {
  const textOf = new Map(examples.map(({ name, text }) => [name, text]));
  return ROWS.filter(({ manifest, required = [] }) => [...manifest, ...required].every((name) => textOf.has(name))).map(
    (row) => {
      const joined = (names: readonly string[] = []) => names.map((name) => textOf.get(name)).join('---\n');
      const texts = { manifest: joined(row.manifest), required: joined(row.required), options: row.options ?? '' };
      return { ...row, texts };
    },
  );
}

/** What its examples are, and the circumstances. */
export function circumstancesOf({ manifest, required, options, observed, time, settled }: Row): string {
  const { notReady } = observed ?? {};
  return [
    manifest.join(' and '),
    required && `with ${required.join(' and ')}`,
    options !== undefined && 'with options',
    time !== undefined && `at ${time}`,
    (settled || observed) && `all ready${notReady === undefined ? '' : ` but one ${notReady}`}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The object that is not ready in a scene, of what its texts become. */
export function notReadyIn({ observed }: Row, { families }: Pick<Answer, 'families'>): Resource | undefined {
  return families
    .flatMap(({ composites }) => composites.flatMap(({ resources }) => resources))
    .find(({ object }) => shownOf(object).kind === observed?.notReady);
}
