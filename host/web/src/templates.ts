/**
 * Templates of step inputs: a section with each field of an API and what it means, where nothing differs from what holds without it.
 * They are made from the schema. A field without a default is a comment, with an example as its value.
 */

import { kindKey } from './contract.ts';
import { inline } from './render/print.ts';
import type { Kind, Kinds, Schema } from './schema/schema.ts';

export interface Template {
  /** The key of the section. */
  section: string;
  /** What it is for, in one line. */
  about: string;
  /** The whole step input. */
  text: string;
}

/** Examples of fields whose schemas have none. */
const EXAMPLES: Record<string, unknown> = {
  'inferenceModel.pools': { default: '160Gi' },
  'inferenceModel.poolsFrom.name': 'inference-pools',
  'inferenceModel.poolsFrom.namespace': 'inference-system',
  'modelService.providerConfigRef.name': 'in-cluster',
  'modelService.unpackScript': 'exec kit unpack "$MODEL"',
};

/** The width of descriptions, without their indent. */
const WIDTH = 96;

/** A template for each section of each kind, by the kind's key and the section. */
export function templatesOf(kinds: Kinds): Map<string, Template> {
  const all = [...kinds.values()].flatMap((kind) => sectionsOf(kind).map((section) => template(kind, ...section)));
  return new Map(all);
}

function sectionsOf({ schema }: Kind): [name: string, schema: Schema][] {
  return Object.entries(schema.properties ?? {}).filter(([name, field]) => name !== 'metadata' && isBranch(field));
}

function template(kind: Kind, section: string, schema: Schema): [key: string, template: Template] {
  const { lines } = written(section, schema, { path: section, indent: '', isNeeded: true });
  const head = [`apiVersion: ${kind.apiVersion}`, `kind: ${kind.kind}`];
  const about = (schema.description ?? '').split('\n')[0] ?? '';
  return [`${kindKey(kind)} ${section}`, { section, about, text: `${[...head, ...lines].join('\n')}\n` }];
}

/** Where a field is. */
interface Place {
  path: string;
  indent: string;
  /** Whether what is around it must have it. */
  isNeeded: boolean;
}

/** The lines of a field, and whether it is more than a comment. */
function written(
  name: string,
  schema: Schema,
  { path, indent, isNeeded }: Place,
): { lines: string[]; counts: boolean } {
  const about = described(schema.description ?? '', indent);
  if (!isBranch(schema)) {
    const counts = schema.default !== undefined || isNeeded;
    const line = `${indent}${name}: ${flow(schema.default ?? exampleOf(schema, path))}`;
    return { lines: [...about, ...(counts ? [line] : commented([line], indent))], counts };
  }
  const below = (isNeeded: (key: string) => boolean) =>
    Object.entries(schema.properties ?? {}).map(([key, field]) =>
      written(key, field, { path: `${path}.${key}`, indent: `${indent}  `, isNeeded: isNeeded(key) }),
    );
  const own = below((key) => schema.required?.includes(key) ?? false);
  // Without a field in it, its value would be null: then it is a comment with all of them.
  const holds = own.some((field) => field.counts);
  const counts = holds && (schema.default !== undefined || isNeeded);
  const fields = holds ? own : below(() => true);
  const lines = [`${indent}${name}:`, ...fields.flatMap((field) => field.lines)];
  return { lines: [...about, ...(counts ? lines : commented(lines, indent))], counts };
}

function isBranch({ type, properties }: Schema): boolean {
  return type === 'object' && properties !== undefined && Object.keys(properties).length > 0;
}

function commented(lines: string[], indent: string): string[] {
  return lines.map((line) => `${indent}# ${line.slice(indent.length)}`);
}

/** An example of a field: that of its description, or the first of its choices. */
function exampleOf(schema: Schema, path: string): unknown {
  const [, said] = /e\.g\. `([^`]+)`/.exec(schema.description ?? '') ?? [];
  const [, key, value] = /^([^:\s]+): (.+)$/.exec(said ?? '') ?? [];
  const isMap = schema.type === 'object';
  const empty = isMap ? {} : schema.type === 'array' ? [] : '';
  const pair = isMap && key !== undefined ? { [key]: value } : undefined;
  return EXAMPLES[path] ?? (isMap ? pair : said) ?? schema.enum?.[0] ?? empty;
}

/** A value on one line. */
function flow(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return inline(value);
  }
  return `{${Object.entries(value)
    .map(([key, held]) => `${inline(key)}: ${flow(held)}`)
    .join(', ')}}`;
}

/** A description as comments. Items of lists are told apart, empty lines are left out. */
function described(description: string, indent: string): string[] {
  return description
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => wrapped(line, line.startsWith('- ') ? '  ' : ''))
    .map((line) => `${indent}# ${line}`);
}

/** A line as several of the width, those after the first with an indent. */
function wrapped(line: string, indent: string): string[] {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(lines.length === 0 ? word : indent + word);
    }
  }
  return lines;
}
