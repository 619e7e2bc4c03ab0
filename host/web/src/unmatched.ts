/** Says which objects of the texts count for nothing, because nothing that is composed has to do with them. */

import type { Text } from '@codemirror/state';
import { kindKey, type Selector } from './contract.ts';
import type { Problem } from './editor/problems.ts';
import type { TextName, Texts } from './editor/texts.ts';
import { type ObjectNode, objectsIn, type Span } from './editor/tree.ts';
import type { Answer, Composite } from './render/answer.ts';
import { wanted } from './render/answer.ts';
import type { Known } from './sorting.ts';

/** The texts whose objects may count for nothing. Longer ones are not looked at, because that takes longer than a keystroke may. */
const LOOKED_AT: TextName[] = ['manifest', 'observed', 'required'];
const MOST_LOOKED_AT = 20_000;

/** The objects of texts, which change less often than the answer. */
const known = new WeakMap<Text, ObjectNode[]>();

const RESOURCE = 'crossplane.io/composition-resource-name';
const COMPOSITE = 'crossplane.io/composite';
/** The most lookups that a message names. */
const NAMED = 3;

/**
 * A warning for each object without effect, but for those that something is said about already, and for those of the kinds
 * that modules have.
 */
export function unmatched(texts: Texts, answer: Answer, said: Problem[], kinds: Known): Problem[] {
  const composites = answer.families.flatMap((family) => family.composites);
  if (composites.length === 0) {
    return []; // nothing can match, and there are errors about that
  }
  const lookups = composites.flatMap(({ selectors }) => selectors);
  const only = answer.families.length === 1;
  const isKnown = (kind: string) => kinds.composites.has(kind) || kinds.options.has(kind);
  return LOOKED_AT.flatMap((text) =>
    objectsOf(texts, text).flatMap((object): Problem[] => {
      const isSaid = said.some((problem) => problem.text === text && touches(problem.span, object.span));
      const why = isSaid ? undefined : reason(text, object, { composites, lookups, only, isKnown });
      return why === undefined ? [] : [warning(texts, text, object.kind, why)];
    }),
  );
}

function objectsOf(texts: Texts, text: TextName): ObjectNode[] {
  const state = texts.state(text);
  const { doc } = state;
  if (doc.length === 0 || doc.length > MOST_LOOKED_AT) {
    return [];
  }
  const objects = known.get(doc) ?? objectsIn(state);
  if (objects) {
    known.set(doc, objects);
  }
  return objects ?? [];
}

interface Composed {
  composites: Composite[];
  lookups: Selector[];
  /** Whether there is one composite in the texts. */
  only: boolean;
  isKnown: (kind: string) => boolean;
}

/** Why an object counts for nothing. Undefined when it counts. */
function reason(text: TextName, object: ObjectNode, composed: Composed): string | undefined {
  const kind = object.field('kind');
  if (text === 'observed') {
    return unobserved(object, composed);
  }
  const key = kindKey({ apiVersion: object.field('apiVersion'), kind });
  if (kind === '' || composed.isKnown(key) || composed.lookups.some((lookup) => finds(lookup, object))) {
    return undefined;
  }
  const near = composed.lookups.filter((lookup) => kindKey(lookup.kind) === key);
  if (near.length === 0) {
    const composes =
      text === 'manifest' ? `no module composes a ${kind}, and nothing` : 'nothing that is composed here';
    return `it counts for nothing: ${composes} looks up ${text === 'manifest' ? 'one' : `a ${kind}`}`;
  }
  const sought = near.slice(0, NAMED).map(({ namespace, matchBy }) => {
    return `${namespace === undefined ? '' : `${namespace}/`}${wanted(matchBy)}`;
  });
  const more = near.length > NAMED ? ` and ${near.length - NAMED} more` : '';
  return `it counts for nothing: of kind ${kind}, lookups find ${sought.join(', ')}${more}`;
}

function unobserved(object: ObjectNode, { composites, only }: Composed): string | undefined {
  const name = object.field('metadata', 'annotations', RESOURCE);
  const composing = composites.filter(({ resources }) => resources.some((resource) => resource.name === name));
  if (name === '') {
    return `it counts for nothing: give it the annotation \`${RESOURCE}\``;
  }
  if (composing.length === 0) {
    return `it counts for nothing: no composed resource has the name \`${name}\` of its annotation \`${RESOURCE}\``;
  }
  const owner = object.field('metadata', 'labels', COMPOSITE);
  const isOwned = object.field('metadata', 'ownerReferences') !== '' || owner !== '';
  const names = composing.map(({ object }) => object.name.split('/').at(-1) ?? '');
  if (only || (isOwned && (owner === '' || names.includes(owner)))) {
    return undefined;
  }
  return `it counts for nothing: give it the label \`${COMPOSITE}\` with the name of its composite, e.g. \`${names[0]}\``;
}

function finds({ kind, namespace, matchBy }: Selector, object: ObjectNode): boolean {
  if (kind.apiVersion !== object.field('apiVersion') || kind.kind !== object.field('kind')) {
    return false;
  }
  if (namespace !== undefined && namespace !== object.field('metadata', 'namespace')) {
    return false;
  }
  switch (matchBy.tag) {
    case 'name':
      return matchBy.val === object.field('metadata', 'name');
    case 'labels': {
      const labels = new Map(object.entries('metadata', 'labels'));
      return matchBy.val.every(([key, value]) => labels.get(key) === value);
    }
    case 'values':
      return true; // what an index has is not known here
  }
}

function touches(one: Span, other: Span): boolean {
  return one.from <= other.to && other.from <= one.to;
}

function warning(texts: Texts, text: TextName, { from, to }: Span, message: string): Problem {
  const line = texts.state(text).doc.lineAt(from).number;
  const problem = { path: '', code: 'not-found', message } as const;
  return { diagnostic: { gravity: 'warning', problem }, text, span: { from, to }, line };
}
