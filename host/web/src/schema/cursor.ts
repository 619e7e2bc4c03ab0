/** Finds which field is being written at the cursor, with its parents and siblings. */

import type { Text } from '@codemirror/state';
import { flowAt } from './flow.ts';
import { type Surroundings, surroundings } from './surroundings.ts';

/** The field at a position. */
export interface Cursor extends Surroundings {
  /** The start of the word that is being written. */
  from: number;
  /** The column of its key, from 0. Absent in flow style, where columns have no meaning. */
  column?: number;
  /** Whether the word is a key, or the value of the last field of `path`. */
  writing: 'key' | 'value';
}

const BEGUN = /^(\s*(?:-\s+)*)([\w./-]*)$/;
const STATED = /^(\s*(?:-\s+)*)(["']?)([\w./-]+)\2:\s+([^#{[]*)$/;

/** The field at `position`. Absent where there is no completion: in comments, quoted strings and block scalars. */
export function cursorAt(text: Text, position: number): Cursor | undefined {
  return inFlow(text, position) ?? inBlock(text, position);
}

function inBlock(text: Text, position: number): Cursor | undefined {
  const line = text.lineAt(position);
  const before = line.text.slice(0, position - line.from);
  const [, lead, word = ''] = BEGUN.exec(before) ?? [];
  if (lead !== undefined) {
    const around = surroundings(text, line.number, lead);
    return { ...around, column: lead.length, from: position - word.length, writing: 'key' };
  }
  const [, indent, , key = '', value = ''] = STATED.exec(before) ?? [];
  if (indent === undefined) {
    return undefined;
  }
  const around = surroundings(text, line.number, indent);
  const path = [...around.path, key];
  return { ...around, path, column: indent.length, from: position - value.length, writing: 'value' };
}

function inFlow(text: Text, position: number): Cursor | undefined {
  const flow = flowAt(text, position);
  if (!flow) {
    return undefined;
  }
  const { line, lead, key, open, word, outermost } = flow;
  const around = surroundings(text, line, lead);
  const above = [...around.path, ...(key === undefined ? [] : [key])];
  const path = [...above, ...open.slice(0, -1).map(({ at }) => at ?? '')];
  const stated = (key: string) => outermost.get(key) ?? '';
  const kind = above.length > 0 ? around.kind : { apiVersion: stated('apiVersion'), kind: stated('kind') };
  const innermost = open.at(-1);
  if (innermost?.at === undefined) {
    const siblings = new Set(innermost?.entries.keys());
    return /^[\w./-]*$/.test(word) ? { path, siblings, kind, from: position - word.length, writing: 'key' } : undefined;
  }
  path.push(innermost.at);
  return { path, siblings: new Set(), kind, from: position - word.length, writing: 'value' };
}
