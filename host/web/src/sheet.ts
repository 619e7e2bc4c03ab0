/** Writes an answer as one text: a document for each object, with the causes of each line. */

import { count } from './dom.ts';
import type { Answer, Composite, Derivation, Family, Printed, Resource } from './render/answer.ts';
import { byArea } from './render/areas.ts';
import { titleOf } from './render/object.ts';

/** An object in the text. */
export interface Section {
  /** The first line, from 1. */
  line: number;
  /** The last line. */
  last: number;
  family: Family;
  composite: Composite;
  /** Absent for the composite itself. */
  resource?: Resource;
}

/** The explanation of a line. */
export interface Link {
  family: Family;
  derivation: Derivation;
}

/** Lines that can be folded: those below the first one. */
export interface Fold {
  /** The first line, from 1. */
  line: number;
  /** The last line. */
  last: number;
  /** Unique in the text, and the same when the text changes. */
  key: string;
  /** Whether a large text shows it folded at first: a whole area, what repeats an area, or a very long object. */
  atFirst: boolean;
}

export interface Sheet {
  text: string;
  sections: Section[];
  folds: Fold[];
  /** The explanation of each line that has one, by line from 1, in order. */
  links: Map<number, Link>;
  /** The number of objects, including composites. */
  objects: number;
}

/** An object with more lines is folded at first. Those of people are shorter; definitions of an API are longer. */
const MOST_LINES = 1_000;

export const EMPTY_SHEET: Sheet = { text: '', sections: [], folds: [], links: new Map(), objects: 0 };

/**
 * Writes the objects of an answer one after another. A composite that another composes is shown once, with its
 * resources. Resources of one area are together, below a line with its name.
 */
export function sheetOf(answer: Answer): Sheet {
  const parts: string[] = [];
  const sections: Section[] = [];
  const folds: Fold[] = [];
  const links: [number, Link][] = [];
  let lines = 0;
  const write = (text: string, height: number) => {
    parts.push(text);
    lines += height;
  };
  const add = (family: Family, composite: Composite, resource: Resource | undefined) => {
    const object = resource?.object ?? composite.object;
    if (lines > 0) {
      write('---', 1);
    }
    const title = `${resource ? `${resource.name}: ` : ''}${titleOf(object)}`;
    write(`# ${title}`, 1);
    const line = lines + 1;
    write(object.text, object.height);
    sections.push({ line, last: lines, family, composite, ...(resource && { resource }) });
    folds.push({ line: line - 1, last: lines, key: title, atFirst: object.height > MOST_LINES });
    return line;
  };
  for (const family of answer.families) {
    for (const composite of family.composites) {
      /** The first line of each object, by its composition resource name. */
      const starts = new Map([['', add(family, composite, undefined)]]);
      if (composite.areas.length > 0) {
        const references = referencesIn(composite.object, starts.get('') ?? 1);
        references && folds.push(references);
      }
      const leaves = composite.resources.filter(({ child }) => child === undefined);
      for (const { name, resources } of byArea(composite, leaves)) {
        const line = lines + 1;
        if (name !== '') {
          write(`# ${name}: ${count(resources.length, 'object')}`, 1);
        }
        for (const resource of resources) {
          starts.set(resource.name, add(family, composite, resource));
        }
        if (name !== '') {
          folds.push({ line, last: lines, key: `${titleOf(composite.object)} ${name}`, atFirst: true });
        }
      }
      for (const derivation of composite.derivations) {
        const start = starts.get(derivation.resource);
        if (start !== undefined && derivation.line !== undefined) {
          links.push([start + derivation.line, { family, derivation }]);
        }
      }
    }
  }
  links.sort(([a], [b]) => a - b);
  return { text: parts.join('\n'), sections, folds, links: new Map(links), objects: sections.length };
}

/** The lines of a composite with the references to what it composes, which repeat what the areas have. */
function referencesIn({ text, kind, name }: Printed, start: number): Fold | undefined {
  const lines = text.split('\n');
  const first = lines.indexOf('    resourceRefs:');
  if (first < 0) {
    return undefined;
  }
  const next = lines.findIndex((line, index) => index > first && !/^ {4}[- ] /.test(line));
  const last = (next < 0 ? lines.length : next) - 1;
  return { line: start + first, last: start + last, key: `${kind} ${name} resourceRefs`, atFirst: true };
}
