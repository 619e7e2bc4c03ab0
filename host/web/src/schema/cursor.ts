/**
 * What is being written at the cursor: which field, below which, beside which.
 *
 * It goes by indentation instead of the syntax tree, since a line that is only begun has no place in the tree yet, and
 * where it will belong is decided by how far it is indented.
 */

import type { Text } from '@codemirror/state';

/** What is written at a position. */
export interface Cursor {
  /** The fields above, outermost first; items of lists are `0`. */
  path: string[];
  /** Where the word being written starts. */
  from: number;
  /** The column of its key, from 0. */
  column: number;
  /** Whether a key is being written, or the value of the last field of `path`. */
  writing: 'key' | 'value';
  /** Keys that stand beside it. */
  siblings: Set<string>;
  /** What the document says it is. */
  kind: { apiVersion: string; kind: string };
}

/** Lines that are looked at above and below, so that a large text does not slow typing down. */
const REACH = 3_000;

const LINE = /^(\s*(?:-\s+)*)(?:(["']?)([\w./-]+)\2:(?:\s+(.*))?)?$/;
const BEGUN = /^(\s*(?:-\s+)*)([\w./-]*)$/;

/** What is written at `position`. Absent where nothing can be completed: in comments, block texts and flow style. */
export function cursorAt(text: Text, position: number): Cursor | undefined {
  const line = text.lineAt(position);
  const before = line.text.slice(0, position - line.from);
  const begun = BEGUN.exec(before);
  const stated = begun ? undefined : /^(\s*(?:-\s+)*)(["']?)([\w./-]+)\2:\s+([^#{[]*)$/.exec(before);
  const lead = begun?.[1] ?? stated?.[1];
  if (lead === undefined) {
    return undefined;
  }
  const { path, siblings, kind } = surroundings(text, line.number, lead);
  if (begun) {
    return { path, siblings, kind, column: lead.length, from: position - (begun[2] ?? '').length, writing: 'key' };
  }
  const [key, value] = [stated?.[3] ?? '', stated?.[4] ?? ''];
  return { path: [...path, key], siblings, kind, column: lead.length, from: position - value.length, writing: 'value' };
}

function surroundings(text: Text, number: number, lead: string): Pick<Cursor, 'path' | 'siblings' | 'kind'> {
  const path: string[] = [];
  const kind = { apiVersion: '', kind: '' };
  const siblings = new Set<string>();
  const column = lead.length;
  // What the next field above has to be left of; in a list it may also be straight above the dash.
  let [left, listed] = enter(lead, column, path);
  let beside = !listed;
  const note = (at: number, key: string, value: string | undefined) => {
    if (at === 0 && (key === 'apiVersion' || key === 'kind')) {
      kind[key] = (value ?? '').replace(/\s+#.*$/, '').replace(/^["']|["']$/g, '');
    }
  };
  for (let above = number - 1; above >= Math.max(1, number - REACH); above--) {
    const content = text.line(above).text;
    if (content.startsWith('---')) {
      break;
    }
    const [, start = '', , key, value] = LINE.exec(content) ?? [];
    if (key === undefined) {
      continue;
    }
    note(start.length, key, value);
    const dash = start.includes('-');
    if (beside && start.length === column) {
      siblings.add(key);
      if (dash) {
        [left, listed] = enter(start, column, path);
        beside = false;
      }
    } else if (start.length < left || (listed && start.length === left && !dash)) {
      path.unshift(key);
      [left, listed] = enter(start, start.length, path);
      beside = false;
    }
  }
  for (let below = number + 1; below <= Math.min(text.lines, number + REACH); below++) {
    const content = text.line(below).text;
    if (content.startsWith('---')) {
      break;
    }
    const [, start = '', , key, value] = LINE.exec(content) ?? [];
    if (key === undefined) {
      continue;
    }
    note(start.length, key, value);
    if (start.length < column || start.includes('-')) {
      beside = false;
      if (start.length > 0) {
        continue;
      }
    }
    if (start.length === column && isBeside(text, number, below, column)) {
      siblings.add(key);
    }
  }
  return { path, siblings, kind };
}

/** Whether nothing between two lines is further left than `column`, or starts another item there. */
function isBeside(text: Text, number: number, below: number, column: number): boolean {
  for (let line = number + 1; line < below; line++) {
    const content = text.line(line).text;
    const start = /^\s*(?:-\s+)*/.exec(content)?.[0] ?? '';
    if (content.trim() !== '' && (start.length < column || (start.length === column && start.includes('-')))) {
      return false;
    }
  }
  return true;
}

/** Steps out of the items that `lead` starts, and says what is left to be found. */
function enter(lead: string, column: number, path: string[]): [left: number, listed: boolean] {
  const dashes = [...lead.matchAll(/-/g)];
  for (const _ of dashes) {
    path.unshift('0');
  }
  return dashes.length > 0 ? [dashes[0]?.index ?? 0, true] : [column, false];
}
