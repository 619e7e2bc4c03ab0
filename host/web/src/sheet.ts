/** Writes an answer as one text: a document for each object, with the causes of each line. */

import type { Answer, Composite, Derivation, Family, Resource } from './render/answer.ts';
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

export interface Sheet {
  text: string;
  sections: Section[];
  /** The explanation of each line that has one, by line from 1, in order. */
  links: Map<number, Link>;
  /** The number of objects, including composites. */
  objects: number;
}

export const EMPTY_SHEET: Sheet = { text: '', sections: [], links: new Map(), objects: 0 };

/**
 * Writes the objects of an answer one after another. A composite that another composes is shown once, with its
 * resources.
 */
export function sheetOf(answer: Answer): Sheet {
  const lines: string[] = [];
  const sections: Section[] = [];
  const links: [number, Link][] = [];
  const add = (family: Family, composite: Composite, resource: Resource | undefined) => {
    const object = resource?.object ?? composite.object;
    lines.push('---', `# ${resource ? `${resource.name}: ` : ''}${titleOf(object)}`);
    const line = lines.length + 1;
    lines.push(...object.lines);
    sections.push({ line, last: lines.length, family, composite, ...(resource && { resource }) });
    for (const derivation of composite.derivations) {
      if (derivation.resource === (resource?.name ?? '') && derivation.line !== undefined) {
        links.push([line + derivation.line, { family, derivation }]);
      }
    }
  };
  for (const family of answer.families) {
    for (const composite of family.composites) {
      add(family, composite, undefined);
      for (const resource of composite.resources.filter(({ child }) => child === undefined)) {
        add(family, composite, resource);
      }
    }
  }
  links.sort(([a], [b]) => a - b);
  return {
    text: lines.slice(1).join('\n'),
    sections: shifted(sections),
    links: shiftedLinks(links),
    objects: sections.length,
  };
}

/** Moves all sections up by one line, since the first separator is left out. */
function shifted(sections: Section[]): Section[] {
  return sections.map((section) => ({ ...section, line: section.line - 1, last: section.last - 1 }));
}

function shiftedLinks(links: [number, Link][]): Map<number, Link> {
  return new Map(links.map(([line, link]) => [line - 1, link]));
}
