/**
 * What stands above and beside a line.
 *
 * It goes by indentation instead of the syntax tree, since a line that is only begun has no place in the tree yet, and
 * where it will belong is decided by how far it is indented.
 */

import type { Text } from '@codemirror/state';

export interface Surroundings {
  /** The fields above, outermost first; items of lists are `0`. */
  path: string[];
  /** Keys that stand beside it. */
  siblings: Set<string>;
  /** What the document says it is. */
  kind: { apiVersion: string; kind: string };
}

/** Lines that are looked at above and below, so that a large text does not slow typing down. */
const REACH = 3_000;

const LINE = /^(\s*(?:-\s+)*)(?:(["']?)([\w./-]+)\2:(?:\s+(.*))?$)?/;

/** What surrounds a line that starts with `lead`: its indent, and dashes if it starts items. */
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
  // What the next field above has to be left of; in a list it may also be straight above the dash.
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

/** A line with something on it. */
interface Line {
  /** Its indent, and dashes if it starts items. */
  start: string;
  /** How long that is. */
  column: number;
  /** Whether it starts an item. */
  listed: boolean;
  /** Its key and what follows that, if it has one. */
  key?: string | undefined;
  value: string;
}

/** The lines from a line on, up or down, as far as the document goes. */
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

/** Steps out of the items that `lead` starts, and says what is left to be found. */
function enter(lead: string, path: string[]): [left: number, listed: boolean] {
  const dashes = [...lead.matchAll(/-/g)];
  for (const _ of dashes) {
    path.unshift('0');
  }
  return dashes.length > 0 ? [dashes[0]?.index ?? 0, true] : [lead.length, false];
}
