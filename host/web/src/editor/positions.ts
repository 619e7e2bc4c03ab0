/** Lines and columns of the contract (from 1, in Unicode characters) as positions in an editor, and back. */

import type { Text } from '@codemirror/state';
import type { Location } from '../contract.ts';
import type { Span } from './tree.ts';

/** Where a location is in a text. The text may have changed since: what is outside moves to its end. */
export function spanOf(text: Text, location: Location): Span {
  const from = positionOf(text, location.line, location.column);
  return { from, to: Math.max(from, positionOf(text, location.endLine, location.endColumn)) };
}

/** Where a line and column are. */
export function positionOf(text: Text, line: number, column: number): number {
  if (line > text.lines) {
    return text.length;
  }
  const { from, to, text: content } = text.line(Math.max(1, line));
  // Only characters beyond the basic plane take more than one place.
  const ahead = /[\ud800-\udbff]/.test(content) ? [...content].slice(0, column - 1).join('').length : column - 1;
  return Math.min(to, from + Math.max(0, ahead));
}
