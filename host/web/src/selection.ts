/**
 * What is selected: a composite, an object of it, a field of that, and a cluster. All views show the same selection, and it
 * is in the address of the page. It is kept by names, so that it outlives an answer.
 */

import type { Answer, Composite, Derivation, Family, Printed, Resource } from './render/answer.ts';
import { keyOf } from './render/object.ts';

export interface Selection {
  /** `Kind namespace/name` of the composite. Empty when none is selected. */
  readonly composite: string;
  /** The composition resource name of an object of it. Empty for the composite itself. */
  readonly object: string;
  /** The path of a field of the object. Empty for the whole object. */
  readonly field: string;
  /** The name of a cluster. Empty when none is selected. */
  readonly cluster: string;
}

export const NOTHING: Selection = { composite: '', object: '', field: '', cluster: '' };

/** An object of an answer. */
export interface Found {
  family: Family;
  composite: Composite;
  /** Absent for the composite itself. */
  resource?: Resource;
}

/** The selection of an object. */
export function selectionOf({ composite, resource }: Found, field = ''): Selection {
  return { ...NOTHING, composite: keyOf(composite.object), object: resource?.name ?? '', field };
}

/** The selection of a whole object. What is a composite too is selected as that. */
export function wholeOf(found: Found): Selection {
  const { family, resource } = found;
  const child = resource?.child === undefined ? undefined : family.composites[resource.child];
  return selectionOf(child ? { family, composite: child } : found);
}

/** Whether both are the same object. */
export function sameObject(one: Selection, other: Selection): boolean {
  return one.composite === other.composite && one.object === other.object;
}

/** The object that is selected. Undefined when none is, or when this answer has none of that name. */
export function selectedIn(answer: Answer | undefined, { composite, object }: Selection): Found | undefined {
  if (composite === '') {
    return undefined;
  }
  for (const family of answer?.families ?? []) {
    const found = family.composites.find((each) => keyOf(each.object) === composite);
    if (found) {
      const resource = object === '' ? undefined : found.resources.find(({ name }) => name === object);
      return { family, composite: found, ...(resource && { resource }) };
    }
  }
  return undefined;
}

/** The rule that gave the selected field. */
export function derivationOf({ composite }: Found, { object, field }: Selection): Derivation | undefined {
  return field === '' ? undefined : composite.derivations.find((it) => it.resource === object && it.path === field);
}

/** The object itself. */
export function objectOf({ composite, resource }: Found): Printed {
  return resource?.object ?? composite.object;
}
