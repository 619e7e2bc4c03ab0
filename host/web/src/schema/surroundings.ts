/**
 * Finds the parents and siblings of a line.
 *
 * It uses the indentation instead of the syntax tree: a line that is not complete is not in the tree yet, and its
 * indentation decides where it belongs.
 */

import type { Text } from '@codemirror/state';

export interface Surroundings {
  /** The parent fields, outermost first; list items are `0`. */
  path: string[];
  /** The keys of its siblings. */
  siblings: Set<string>;
  /** The kind that the document states. */
  kind: { apiVersion: string; kind: string };
}

/** The number of lines to read above and below. It keeps typing fast in a large text. */
const REACH = 3_000;

const LINE = /^(\s*(?:-\s+)*)(?:(["']?)([\w./-]+)\2:(?:\s+(.*))?$)?/;

/** The surroundings of a line that starts with `lead`: its indent, and dashes if list items start there. */
export function surroundings(text: Text, number: number, lead: string): Surroundings {
  const path: string[] = [];
  const siblings = new Set<string>();
  const kind = { apiVersion: '', kind: '' };
  const note = ({ column, key, value }: Line) => {
    if (column === 0 && (key === 'apiVersion' || key === 'kind')) {
      kind[key] = value.replace(/\s+#.*$/, '').replace(/^["']|["']$/g, '');
    }
  };
  const own = lead.length;
  // The next parent is left of this column; in a list it may also be in the column of the dash.
  let [left, listed] = enter(lead, path);
  let beside = !listed;
  for (const line of lines(text, number, -1)) {
    const { column, start, key, listed: isItem } = line;
    if (key === undefined) {
      continue;
    }
    note(line);
    if (beside && column === own) {
      siblings.add(key);
      if (isItem) {
        [left, listed] = enter(start, path);
        beside = false;
      }
    } else if (column < left || (listed && column === left && !isItem)) {
      path.unshift(key);
      [left, listed] = enter(start, path);
      beside = false;
    }
  }
  beside = true;
  for (const line of lines(text, number, 1)) {
    note(line);
    beside &&= line.column > own || (line.column === own && !line.listed);
    if (beside && line.column === own && line.key !== undefined) {
      siblings.add(line.key);
    }
  }
  return { path, siblings, kind };
}

/** A line that is not empty. */
interface Line {
  /** Its indent, and dashes if list items start there. */
  start: string;
  /** The length of `start`. */
  column: number;
  /** Whether a list item starts there. */
  listed: boolean;
  /** Its key with the text after it, if there is one. */
  key?: string | undefined;
  value: string;
}

/** The lines from a given line, upwards or downwards, to the end of the document. */
function* lines(text: Text, from: number, step: 1 | -1): Generator<Line> {
  for (let number = from + step; number >= 1 && number <= text.lines; number += step) {
    const content = text.line(number).text;
    if (content.startsWith('---') || Math.abs(number - from) > REACH) {
      return;
    }
    if (/^\s*(?:#|$)/.test(content)) {
      continue;
    }
    const [, start = '', , key, value = ''] = LINE.exec(content) ?? [];
    yield { start, column: start.length, listed: start.includes('-'), key, value };
  }
}

/** Adds the list items that start in `lead` to `path`. Returns where the next parent must be. */
function enter(lead: string, path: string[]): [left: number, listed: boolean] {
  const dashes = [...lead.matchAll(/-/g)];
  for (const _ of dashes) {
    path.unshift('0');
  }
  return dashes.length > 0 ? [dashes[0]?.index ?? 0, true] : [lead.length, false];
}
