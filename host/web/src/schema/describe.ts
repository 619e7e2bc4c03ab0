/** Describes a field from its schema. */

import { h } from '../dom.ts';
import { inline } from '../render/print.ts';
import type { Schema } from './schema.ts';

/** A field's name, type, description and bounds. */
export function describe(name: string, schema: Schema, required: boolean): HTMLElement {
  const facts = factsOf(schema).map(([term, value]) => h('div', {}, h('dt', {}, term), h('dd', {}, code(value))));
  return h(
    'div',
    { class: 'doc' },
    h('p', { class: 'doc-name' }, h('b', {}, name), ' ', typeOf(schema), required && h('em', {}, 'required')),
    ...paragraphs(schema.description ?? ''),
    facts.length > 0 && h('dl', {}, ...facts),
  );
}

/** The type of a field in one or two words. */
export function typeOf(schema: Schema): string {
  if (schema.type === 'array') {
    return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  }
  return schema.enum ? 'choice' : (schema.format ?? schema.type ?? 'anything');
}

/** What a value means, from the description of the field: a list with a line for each value. */
export function meaningOf(value: unknown, schema: Schema | undefined): string {
  const start = `- \`${value}\`: `;
  const line = schema?.description?.split('\n').find((line) => line.startsWith(start));
  return line === undefined ? '' : line.slice(start.length).replaceAll('`', '').replace(/\.$/, '');
}

/** The values that the description of a field has a line for. */
export function listed(schema: Schema | undefined): string[] {
  return [...(schema?.description ?? '').matchAll(/^- `([^`]+)`: /gm)].flatMap(([, value]) => value ?? []);
}

function factsOf(schema: Schema): [term: string, value: string][] {
  const facts: [string, string | undefined][] = [
    ['Default', schema.default === undefined ? undefined : inline(schema.default)],
    ['One of', schema.enum?.map(inline).join(', ')],
    ['Range', range(schema.minimum, schema.maximum)],
    ['Length', range(schema.minLength, schema.maxLength)],
    ['Items', range(schema.minItems, schema.maxItems)],
    ['Pattern', schema.pattern],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

function range(least: number | undefined, most: number | undefined): string | undefined {
  if (least === undefined && most === undefined) {
    return undefined;
  }
  return most === undefined ? `${least} or more` : least === undefined ? `${most} or less` : `${least} to ${most}`;
}

/** Paragraphs and lists. Text in backticks becomes code. */
function paragraphs(text: string): HTMLElement[] {
  return text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const items = part.split('\n').map((line) => line.trim());
      return items.every((item) => item.startsWith('- '))
        ? h('ul', {}, ...items.map((item) => h('li', {}, ...marked(item.slice(2)))))
        : h('p', {}, ...marked(part));
    });
}

/** A text in which the parts in backticks become code. */
export function marked(text: string): (string | HTMLElement)[] {
  return text.split(/(`[^`]+`)/).map((part) => (/^`.+`$/.test(part) ? code(part.slice(1, -1)) : part));
}

function code(text: string): HTMLElement {
  return h('code', {}, text);
}
