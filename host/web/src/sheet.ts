/** Writes an answer as one text: a document for each object, with the causes of each line. */

import { firstWhere } from './bisect.ts';
import { count } from './dom.ts';
import type { Answer, Composite, Derivation, Family, Resource } from './render/answer.ts';
import { byArea } from './render/areas.ts';
import { keyOf, titleOf } from './render/object.ts';
import type { Selection } from './selection.ts';

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

/** Lines that can be folded: those below the first one, or all. */
export interface Fold {
  /** The first line, from 1. */
  line: number;
  /** The last line. */
  last: number;
  /** Unique in the text, and the same when the text changes. */
  key: string;
  /** Whether it is folded at first: what nobody reads always, a whole area or a very long object in a large text. */
  atFirst: 'always' | 'in a large text' | 'never';
  /** What stands in the place of the lines. Absent for dots. */
  label?: string;
  /** Whether the first line is hidden too. */
  whole?: boolean;
}

export interface Sheet {
  text: string;
  sections: Section[];
  folds: Fold[];
  /** The lines that name an area, from 1. */
  areas: number[];
  /** The explanation of each line that has one, by line from 1, in order. */
  links: Map<number, Link>;
  /** The number of objects, including composites. */
  objects: number;
  /** The number of those that are not ready. */
  notReady: number;
}

/** An object with more lines is folded at first. Those of people are shorter; definitions of an API are longer. */
const MOST_LINES = 1_000;

/** The object that a line is of, from 1: the line may be its heading, or one after it. */
export function sectionAt({ sections }: Sheet, line: number): Section | undefined {
  const after = firstWhere(sections.length, (index) => (sections[index]?.line ?? 0) - 1 > line);
  return sections[Math.max(0, after - 1)];
}

/** The selected object. One that is a composite too stands there as that. */
export function sectionOf({ sections }: Sheet, { composite, object }: Selection): Section | undefined {
  if (composite === '') {
    return undefined;
  }
  const own = sections.filter((section) => keyOf(section.composite.object) === composite);
  const [first] = own;
  const found = own.find(({ resource }) => (resource?.name ?? '') === object);
  const child = first?.composite.resources.find(({ name }) => name === object)?.child;
  return found ?? sections.find((it) => !it.resource && it.composite === first?.family.composites[child ?? -1]);
}

/** The first object that is on a cluster, or that is the cluster itself. */
export function sectionOnCluster({ sections }: Sheet, cluster: string): Section | undefined {
  return cluster === '' ? undefined : sections.find((section) => isOnCluster(section, cluster));
}

function isOnCluster({ composite, resource }: Section, cluster: string): boolean {
  const { object } = resource ?? composite;
  const isIt = !resource && composite.cluster !== undefined && object.name === cluster;
  const isLabelled = object.labels.some((label) => /(?:^|\/)cluster=/.test(label) && label.endsWith(`=${cluster}`));
  return isIt || isLabelled || object.wraps?.cluster === cluster;
}

export const EMPTY_SHEET: Sheet = {
  text: '',
  sections: [],
  folds: [],
  areas: [],
  links: new Map(),
  objects: 0,
  notReady: 0,
};

/**
 * Writes the objects of an answer one after another. A composite that another composes is shown once, with its
 * resources. Resources of one area are together, below a line with its name.
 */
export function sheetOf(answer: Answer): Sheet {
  let lines = 0;
  const parts = answer.families.map((family) => {
    const known = written.get(family);
    const part = known?.before === lines ? known : partOf(family, lines);
    written.set(family, part);
    lines += part.height;
    return part;
  });
  const sections = parts.flatMap(({ sections }) => sections);
  return {
    text: parts.map(({ text }) => text).join('\n'),
    sections,
    folds: parts.flatMap(({ folds }) => folds),
    areas: parts.flatMap(({ areas }) => areas),
    links: new Map(parts.flatMap(({ links }) => links)),
    objects: sections.length,
    notReady: sections.filter(({ composite, resource }) => (resource ?? composite).ready === 'not ready').length,
  };
}

/** What is written of a family. */
interface Part extends Pick<Sheet, 'text' | 'sections' | 'folds' | 'areas'> {
  /** The number of lines before it. */
  before: number;
  height: number;
  links: [line: number, link: Link][];
}

/** The families of earlier answers: in a long text few of them change. */
const written = new WeakMap<Family, Part>();

function partOf(family: Family, before: number): Part {
  const texts: string[] = [];
  const sections: Section[] = [];
  const folds: Fold[] = [];
  const areas: number[] = [];
  const links: [number, Link][] = [];
  let lines = before;
  const write = (text: string, height: number) => {
    texts.push(text);
    lines += height;
  };
  const add = (composite: Composite, resource: Resource | undefined) => {
    const object = resource?.object ?? composite.object;
    if (lines > 0) {
      write('---', 1);
    }
    const title = `${resource ? `${resource.name}: ` : ''}${titleOf(object)}`;
    write(`# ${title}`, 1);
    const line = lines + 1;
    write(object.text, object.height);
    sections.push({ line, last: lines, family, composite, ...(resource && { resource }) });
    folds.push({
      line: line - 1,
      last: lines,
      key: title,
      atFirst: object.height > MOST_LINES ? 'in a large text' : 'never',
    });
    for (const { first, last, label, whole } of object.boilerplate) {
      folds.push({ line: line + first, last: line + last, key: `${title}\n${label}`, atFirst: 'always', label, whole });
    }
    return line;
  };
  for (const composite of family.composites) {
    /** The first line of each object, by its composition resource name. */
    const starts = new Map([['', add(composite, undefined)]]);
    const leaves = composite.resources.filter(({ child }) => child === undefined);
    for (const { name, resources } of byArea(composite, leaves)) {
      const line = lines + 1;
      if (name !== '') {
        areas.push(line);
        write(`# ${name}: ${count(resources.length, 'object')}`, 1);
      }
      for (const resource of resources) {
        starts.set(resource.name, add(composite, resource));
      }
      if (name !== '') {
        folds.push({ line, last: lines, key: `${titleOf(composite.object)} ${name}`, atFirst: 'in a large text' });
      }
    }
    for (const derivation of composite.derivations) {
      const start = starts.get(derivation.resource);
      if (start !== undefined && derivation.line !== undefined) {
        links.push([start + derivation.line, { family, derivation }]);
      }
    }
  }
  links.sort(([a], [b]) => a - b);
  return { before, height: lines - before, text: texts.join('\n'), sections, folds, areas, links };
}
