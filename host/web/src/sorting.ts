/** Finds out which text a file belongs to, by its content. */

import { type KindRef, kindKey } from './contract.ts';
import type { TextName } from './editor/texts.ts';
import { kindsIn } from './kinds.ts';

/** The kinds of the modules, by `kindKey`. */
export interface Known {
  composites: { has(key: string): boolean };
  options: { has(key: string): boolean };
}

/** Crossplane writes it on what it composes. */
const COMPOSED = /crossplane\.io\/composition-resource-name["']?\s*:/;

/**
 * The text for a file with this content: the options, what Crossplane composed, composites, or other objects. Undefined when
 * it has no object.
 */
export function textFor(content: string, known: Known): TextName | undefined {
  const kinds = kindsIn(content).filter(({ apiVersion, kind }) => apiVersion !== '' && kind !== '');
  const are = (group: { has(key: string): boolean }) => (kind: KindRef) => group.has(kindKey(kind));
  if (kinds.length === 0) {
    return undefined;
  }
  if (kinds.every(are(known.options))) {
    return 'options';
  }
  if (COMPOSED.test(content)) {
    return 'observed';
  }
  return [...kinds, ...kindsOfItems(content)].some(are(known.composites)) ? 'manifest' : 'required';
}

/** A list item's API version and kind, which kubectl prints one after the other. */
const ITEM = /["']?apiVersion["']?:\s*["']?([^\s"',}]+)["']?,?\s+["']?kind["']?:\s*["']?([^\s"',}]+)/g;

/** The kinds of the objects in a list. */
function kindsOfItems(content: string): KindRef[] {
  return [...content.matchAll(ITEM)].map(([, apiVersion = '', kind = '']) => ({ apiVersion, kind }));
}
