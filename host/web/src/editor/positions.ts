/** Converts lines and columns of the contract (from 1, in Unicode characters) to positions in an editor. */

import type { Text } from '@codemirror/state';
import type { Location } from '../contract.ts';
import type { Span } from './tree.ts';

/** The span of a location in a text. When the text has changed and the location is outside, the span is at its end. */
export function spanOf(text: Text, location: Location): Span {
  const from = positionOf(text, location.line, location.column);
  return { from, to: Math.max(from, positionOf(text, location.endLine, location.endColumn)) };
}

/** The position of a line and column. */
export function positionOf(text: Text, line: number, column: number): number {
  if (line > text.lines) {
    return text.length;
  }
  const { from, to, text: content } = text.line(Math.max(1, line));
  // Only characters outside the basic multilingual plane have more than one code unit.
  const ahead = /[\ud800-\udbff]/.test(content) ? [...content].slice(0, column - 1).join('').length : column - 1;
  return Math.min(to, from + Math.max(0, ahead));
}
