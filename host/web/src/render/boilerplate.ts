/** What of a printed object is the same for all objects, so that people do not read it: it is folded at first. */

import { endOf, manifestIn } from './apply.ts';
import { keyOf, type Titled } from './object.ts';

/** Lines that are folded. Lines count from 0. */
export interface Boilerplate {
  first: number;
  last: number;
  /** What stands in their place. */
  label: string;
  /** Whether the first line is hidden too. */
  whole: boolean;
}

/** Annotations and labels with this are Crossplane's own. */
const OWN = /^ {4}crossplane\.io\//;
/** Fields of the metadata that are Crossplane's own if all keys in them are. */
const MAPS = ['  annotations:', '  labels:'];

export function boilerplateOf(lines: readonly string[], object: Titled): Boilerplate[] {
  const manifest = object.wraps && manifestIn(lines);
  if (manifest) {
    const label = `wrapped by ${keyOf(object)}`;
    const wrapper = { first: 0, last: manifest.from - 1, label, whole: true };
    const rest = { first: manifest.to, last: lines.length - 1, label: 'more of the wrapper', whole: true };
    return rest.last >= rest.first ? [wrapper, rest] : [wrapper];
  }
  const metadata = lines.slice(0, endOf(lines, Math.max(0, lines.indexOf('metadata:'))));
  const found: Boilerplate[] = [];
  const add = (
    inside: readonly string[],
    key: string,
    label: string,
    isBoilerplate = (_: readonly string[]) => true,
  ) => {
    const first = inside.indexOf(key);
    const end = first < 0 ? 0 : endOf(lines, first);
    if (first >= 0 && end - 1 > first && isBoilerplate(lines.slice(first + 1, end))) {
      found.push({ first, last: end - 1, label, whole: false });
    }
  };
  for (const key of MAPS) {
    add(metadata, key, 'of Crossplane', (inside) => inside.every((line) => OWN.test(line)));
  }
  add(metadata, '  ownerReferences:', 'its composite');
  add(lines, '    resourceRefs:', 'what it composes');
  if (lines.includes('status:')) {
    add(lines, '  conditions:', 'conditions');
  }
  return found;
}
