/** Completes keys and values from the schema of the document's kind. */

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { kindKey } from '../contract.ts';
import { inline } from '../render/print.ts';
import { type Cursor, cursorAt } from './cursor.ts';
import { describe, listed, meaningOf, typeOf } from './describe.ts';
import { at, type Kinds, type Schema } from './schema.ts';

/** Completes with the kinds that `kinds` returns at that time. */
export function completeBySchema(kinds: () => Kinds): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const cursor = cursorAt(context.state.doc, context.pos);
    if (
      !cursor ||
      (!context.explicit && cursor.writing === 'key' && cursor.from === context.pos && cursor.path.length === 0)
    ) {
      return null;
    }
    const options = cursor.writing === 'key' ? keys(cursor, kinds()) : values(cursor, kinds());
    return options.length === 0 ? null : { from: cursor.from, options, validFor: /^[\w./-]*$/ };
  };
}

function keys(cursor: Cursor, kinds: Kinds): Completion[] {
  const schema = at(schemaFor(cursor, kinds), cursor.path);
  const holder = schema?.type === 'array' ? schema.items : schema;
  const required = new Set(holder?.required);
  return Object.entries(holder?.properties ?? {})
    .filter(([name]) => !cursor.siblings.has(name) && !(cursor.path.length === 0 && name === 'status'))
    .map(([name, field], index) => ({
      label: name,
      apply: `${name}:${opening(field, cursor)}`,
      type: 'property',
      detail: `${typeOf(field)}${required.has(name) ? ', required' : ''}`,
      info: () => describe(name, field, required.has(name)),
      // Required fields come first, the others in the order of the schema.
      boost: (required.has(name) ? 50 : 0) - Math.min(index, 40),
    }));
}

/** The text after a key: a space, or in block style a new line for its fields. */
function opening(field: Schema, { column }: Cursor): string {
  if (column === undefined) {
    return ' ';
  }
  const indent = ' '.repeat(column + 2);
  if (field.type === 'object') {
    return `\n${indent}`;
  }
  return field.type === 'array' ? `\n${indent}- ` : ' ';
}

function values(cursor: Cursor, kinds: Kinds): Completion[] {
  const [name, ...more] = cursor.path;
  if (more.length === 0 && (name === 'apiVersion' || name === 'kind')) {
    const other = name === 'kind' ? 'apiVersion' : 'kind';
    const suiting = [...kinds.values()].filter(
      (kind) => cursor.kind[other] === '' || kind[other] === cursor.kind[other],
    );
    const labels = new Set((suiting.length > 0 ? suiting : [...kinds.values()]).map((kind) => kind[name]));
    return [...labels].map((label) => ({ label, type: 'class' }));
  }
  const field = at(schemaFor(cursor, kinds), cursor.path);
  const choices =
    field?.type === 'boolean' ? [true, false] : (field?.enum ?? (field?.type === 'string' ? listed(field) : []));
  const byDefault = field?.default;
  const all = byDefault === undefined || choices.includes(byDefault) ? choices : [...choices, byDefault];
  return all
    .filter((value) => typeof value !== 'object')
    .map((value) => ({
      label: inline(value),
      type: 'enum',
      detail: [value === byDefault && 'default', meaningOf(value, field)].filter(Boolean).join(' · '),
      ...(field && { info: () => describe(cursor.path.at(-1) ?? '', field, false) }),
    }));
}

/**
 * The schema of the document. When the document states no kind yet and there is only one kind, the schema of that kind.
 */
function schemaFor(cursor: Cursor, kinds: Kinds): Schema | undefined {
  const stated = kinds.get(kindKey(cursor.kind));
  const unsaid = cursor.kind.kind === '' || cursor.kind.apiVersion === '';
  return (stated ?? (unsaid ? [...kinds.values()][0] : undefined))?.schema;
}
