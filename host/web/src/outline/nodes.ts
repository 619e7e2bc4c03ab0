/**
 * Everything that would exist, as a tree: composites, in these their areas or kinds, and in these the objects. What an object
 * wraps stands for it; the wrapper is a row below.
 */

import { groupBy } from '../group.ts';
import type { Answer, Composite, Derivation, Family, Printed, Resource } from '../render/answer.ts';
import { byArea } from '../render/areas.ts';
import { keyOf, shownOf } from '../render/object.ts';
import type { Readiness } from '../render/readiness.ts';
import type { Found } from '../selection.ts';

export interface Node {
  /** Unique, and the same in the next answer. */
  key: string;
  /**
   * An object; a group of objects; the wrapper of an object; or a field of a composite that another object makes what it
   * is.
   */
  what: 'object' | 'group' | 'wrapper' | 'field';
  /** The composition resource name, the name of the group, or the path of the field. */
  name: string;
  ready: Readiness;
  /** What of the answer it is. Absent for a group. */
  found?: Found;
  object?: Printed;
  /** Why the field is what it is. */
  link?: Derivation;
  /** What there is to say about it: why it is not ready, or when it is composed. */
  note: string;
  below: Node[];
  /** Whether the rows below are closed at first. */
  closed: boolean;
  /** The number of objects, with itself and what is below, and of those that are not ready. */
  objects: number;
  notReady: number;
}

/** Areas of a composite with more resources are closed at first. */
const MOST_OPEN = 30;
/** More objects of one kind than these are a group. */
const MOST_OF_A_KIND = 12;

export function nodesOf({ families }: Pick<Answer, 'families'>): Node[] {
  const roots = families.flatMap((family) => (family.composites[0] ? [composite(family, family.composites[0])] : []));
  return byKind('', roots);
}

/** The composition resource name, kind, name and cluster of a node, in which words are searched. */
export function wordsOf({ name, object }: Node): string {
  return [name, ...(object ? [keyOf(object), ...Object.values(shownOf(object))] : [])].join('\n').toLowerCase();
}

/** `98 ready, 2 not`. */
export function readinessIn({ objects, notReady }: Pick<Node, 'objects' | 'notReady'>): string {
  const ready = objects - notReady;
  return notReady === 0 ? `${ready} ready` : ready === 0 ? `${notReady} not ready` : `${ready} ready, ${notReady} not`;
}

function composite(family: Family, it: Composite, resource?: Resource, above = ''): Node {
  const condition = it.ready === 'ready' ? undefined : it.conditions.find(({ type }) => type === 'Ready');
  const key = `${above}\n${keyOf(it.object)}`;
  const fields = it.derivations.filter((each) => each.resource === '' && each.path.startsWith('spec.'));
  return summed({
    key,
    what: 'object',
    name: resource?.name ?? '',
    ready: it.ready,
    found: { family, composite: it },
    object: it.object,
    note: [phaseOf(resource), condition ? condition.message || condition.reason : ''].filter(Boolean).join('; '),
    below: [...fields.map((link) => field(family, it, link, key)), ...groups(family, it, key)],
    closed: false,
  });
}

function groups(family: Family, it: Composite, above: string): Node[] {
  return byArea(it, it.resources).flatMap(({ name, resources }) => {
    const inside = resources.map((resource) => {
      const child = resource.child === undefined ? undefined : family.composites[resource.child];
      return child ? composite(family, child, resource, above) : object(family, it, resource, above);
    });
    return name === '' ? byKind(above, inside) : [group(above, name, inside, it.resources.length > MOST_OPEN)];
  });
}

/** Many nodes of one kind become a group, in which those that are not ready are first. */
function byKind(above: string, nodes: Node[]): Node[] {
  const kinds = groupBy(nodes, ({ object }) => (object ? shownOf(object).kind : ''));
  return [...kinds].flatMap(([kind, all]) =>
    all.length > MOST_OF_A_KIND
      ? [group(above, kind, [...all.filter((it) => it.notReady > 0), ...all.filter((it) => it.notReady === 0)], true)]
      : all,
  );
}

function group(above: string, name: string, below: Node[], closed: boolean): Node {
  const ready = below.every((node) => node.notReady === 0) ? 'ready' : 'not ready';
  return summed({ key: `${above}\n${name}`, what: 'group', name, ready, note: '', below, closed });
}

function object(family: Family, it: Composite, resource: Resource, above: string): Node {
  const { name, object, ready } = resource;
  const found = { family, composite: it, resource };
  const own = { found, object, ready };
  const key = `${above}\n${name}`;
  const wrapper: Node = {
    ...own,
    key: `${key}\nwrapper`,
    what: 'wrapper',
    name: '',
    note: '',
    below: [],
    closed: false,
    objects: 0,
    notReady: 0,
  };
  return summed({
    ...own,
    key,
    what: 'object',
    name,
    note: phaseOf(resource),
    below: object.wraps ? [wrapper] : [],
    closed: true,
  });
}

function field(family: Family, it: Composite, link: Derivation, above: string): Node {
  return {
    key: `${above}\n${link.path}`,
    what: 'field',
    name: link.path,
    ready: 'unknown',
    found: { family, composite: it },
    link,
    note: link.because,
    below: [],
    closed: false,
    objects: 0,
    notReady: 0,
  };
}

function summed(node: Omit<Node, 'objects' | 'notReady'>): Node {
  const own = node.what === 'object' ? 1 : 0;
  return {
    ...node,
    objects: node.below.reduce((sum, { objects }) => sum + objects, own),
    notReady: node.below.reduce((sum, { notReady }) => sum + notReady, own && Number(node.ready !== 'ready')),
  };
}

/** When an object is composed, and what it waits for. */
function phaseOf(resource: Resource | undefined): string {
  const { number, waitsFor } = resource?.phase ?? { number: 1, waitsFor: '' };
  return number === 1 ? '' : waitsFor === '' ? `phase ${number}` : `phase ${number}, waits for ${waitsFor}`;
}
