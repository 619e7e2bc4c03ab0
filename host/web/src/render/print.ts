/**
 * Prints JSON values as YAML, and returns the line of each path.
 *
 * The links between result and source need the line of every path, which usual printers do not return. Tests compare
 * the output with a usual parser.
 */

import { indexed, keyed } from '../path.ts';
import { sortedKeys } from './order.ts';

/** A printed value. */
export interface Printed {
  lines: string[];
  /** The line of each field and item, from 0, by its path as Kubernetes spells it. */
  places: Map<string, number>;
}

/** Prints a value in block style. */
export function print(value: unknown): Printed {
  const printed: Printed = { lines: [], places: new Map() };
  if (isBranch(value)) {
    branch(printed, value, '', '', '');
  } else {
    printed.lines.push(...scalar(value, ''));
  }
  return printed;
}

/** Prints a value on one line, in flow style. */
export function inline(value: unknown): string {
  return typeof value === 'string' && !value.includes('\n') ? text(value) : JSON.stringify(value);
}

type Branch = Record<string, unknown> | unknown[];

/** Whether a value is printed on lines of its own. */
function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** `first` is the beginning of the first line: the dash of a list item, or the indent. */
function branch(printed: Printed, value: Branch, path: string, first: string, indent: string): void {
  let lead = first;
  const entries = Array.isArray(value)
    ? value.map((item, index) => ['- ', indexed(path, index), item] as const)
    : sortedKeys(value).map((key) => [`${text(key)}:`, keyed(path, key), value[key]] as const);
  for (const [head, at, item] of entries) {
    printed.places.set(at, printed.lines.length);
    if (Array.isArray(value) && isBranch(item)) {
      branch(printed, item, at, `${lead}- `, `${indent}  `);
    } else if (isBranch(item)) {
      printed.lines.push(`${lead}${head}`);
      // A list below its key is not indented, as Kubernetes prints it.
      const below = Array.isArray(item) ? indent : `${indent}  `;
      branch(printed, item, at, below, below);
    } else {
      const [line, ...more] = scalar(item, `${indent}  `);
      printed.lines.push(`${lead}${head}${Array.isArray(value) ? '' : ' '}${line}`, ...more);
    }
    lead = indent;
  }
}

/** The lines of a scalar, or of an empty list or map. */
function scalar(value: unknown, indent: string): string[] {
  if (typeof value !== 'string') {
    return [JSON.stringify(value) ?? 'null'];
  }
  return blockable(value) ? block(value, indent) : [text(value)];
}

/**
 * Texts that a literal block would change: with space at the start or end, with empty lines at the end, with special
 * characters.
 */
const UNBLOCKABLE = /^\s|[^\S\n]$|[^\S\n]\n|\n\n$|[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

function blockable(value: string): boolean {
  return value.includes('\n') && !UNBLOCKABLE.test(value);
}

function block(value: string, indent: string): string[] {
  const ended = value.endsWith('\n');
  const lines = (ended ? value.slice(0, -1) : value).split('\n').map((line) => (line === '' ? '' : indent + line));
  return [ended ? '|' : '|-', ...lines];
}

/** Words that parsers of YAML 1.1 or 1.2 do not read as text. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|~|[-+.]?\d.*|[-+]?\.(?:inf|nan|\d.*)|=|<<|\.\.\.)$/i;
const PLAIN = /^[\w./$(](?:[\w ./$@()+*,;?!<>=|~^%&'"\\-]|:(?=[^\s]))*$/;

/** A string in one line: plain when every parser reads it as this string, otherwise in double quotes. */
function text(value: string): string {
  const plain = PLAIN.test(value) && !RESERVED.test(value) && !value.endsWith(' ') && !value.includes(' #');
  return plain ? value : JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
