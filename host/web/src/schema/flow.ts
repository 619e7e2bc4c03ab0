/** Flow style: finds the open brackets at a position. In flow style brackets, not indentation, make the structure. */

import type { Text } from '@codemirror/state';

/** A position in flow style. */
export interface Flow {
  /** The line of the outermost bracket, from 1; its indent with dashes; and the key before the bracket. */
  line: number;
  lead: string;
  key?: string | undefined;
  /** The open collections, outermost first. */
  open: { at?: string | undefined; entries: Entries }[];
  /** The entries of the outermost collection. */
  outermost: Entries;
  /** The part of the key or value before the position. */
  word: string;
}

/** Keys with the text of their values. */
type Entries = Map<string, string>;

/** The largest number of lines and of characters to read. It keeps typing fast. */
const [REACH_LINES, REACH_CHARACTERS] = [200, 20_000];

/** The part of a line before a bracket that opens a collection in flow style. */
const OPENING = /^(\s*(?:-\s+)*)(?:(["']?)([\w./-]+)\2:\s+)?(?=[{[])/;
const TOKENS =
  /"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)|(?<=\s)#.*|[{}[\],]|:(?=[\s,{}[\]]|$)|(?<=["']):|[^\s"'{}[\],:#][^\s{}[\],:#]*|\S/g;

/** The open collections at `position`. Absent when there is none, and in quoted strings and comments. */
export function flowAt(text: Text, position: number): Flow | undefined {
  const last = text.lineAt(position).number;
  for (let line = last; line >= Math.max(1, last - REACH_LINES); line--) {
    const { text: content, from } = text.line(line);
    if (content.startsWith('---') || position - from > REACH_CHARACTERS) {
      return undefined;
    }
    const [whole = '', lead, , key] = OPENING.exec(content) ?? [];
    const start = from + whole.length;
    if (lead !== undefined && start < position) {
      const source = text.sliceString(start, Math.min(text.length, position + REACH_CHARACTERS));
      const found = read(source, position - start);
      if (found) {
        return { line, lead, key, ...found };
      }
    }
  }
  return undefined;
}

/** A collection that is being read. */
class Collection {
  readonly entries: Entries = new Map();
  readonly #isList: boolean;
  #key: string | undefined;
  /** The start of the text after the last comma or colon. */
  #start: number | undefined;

  constructor(isList: boolean) {
    this.#isList = isList;
  }

  /** The key whose value is being read. In lists `0`. */
  get at(): string | undefined {
    return this.#isList ? '0' : this.#key;
  }

  /** Notes that there is text at this place. */
  note(at: number): void {
    this.#start ??= at;
  }

  written(source: string, end: number): string {
    return this.#start === undefined ? '' : source.slice(this.#start, end);
  }

  /** The text before this place is a key. */
  turn(source: string, end: number): void {
    if (this.at === undefined) {
      this.#key = unquoted(this.written(source, end));
      this.#start = undefined;
    }
  }

  /** The text before this place ends an entry. It is added if `counts`. */
  finish(source: string, end: number, counts: boolean): void {
    const written = unquoted(this.written(source, end));
    const [key, value] = this.#key === undefined ? [written, ''] : [this.#key, written];
    if (counts && !this.#isList && key !== '') {
      this.entries.set(key, value);
    }
    this.#key = undefined;
    this.#start = undefined;
  }
}

/** Reads from an opening bracket to its closing bracket, or to the end. */
function read(source: string, position: number): Pick<Flow, 'open' | 'outermost' | 'word'> | undefined {
  const outermost = new Collection(source.startsWith('['));
  const stack: Collection[] = [];
  let found: Pick<Flow, 'open' | 'outermost' | 'word'> | undefined;
  /** The collection with the entry that is being written. That entry is not among its siblings. */
  let here: Collection | undefined;
  const arrive = () => {
    here = stack.at(-1);
    const open = stack.map(({ at, entries }) => ({ at, entries }));
    found = { open, outermost: outermost.entries, word: here?.written(source, position) ?? '' };
  };
  for (const { 0: token, index } of source.matchAll(TOKENS)) {
    if (!found && position <= index) {
      arrive();
    } else if (!found && position < index + token.length && /^["'#]/.test(token)) {
      return undefined;
    }
    const top = stack.at(-1);
    switch (token) {
      case '{':
      case '[':
        top?.note(index);
        stack.push(top ? new Collection(token === '[') : outermost);
        break;
      case '}':
      case ']':
      case ',':
        top?.finish(source, index, top !== here);
        here = top === here ? undefined : here;
        if (token !== ',') {
          stack.pop();
        }
        break;
      case ':':
        top?.turn(source, index);
        break;
      default:
        if (!token.startsWith('#')) {
          top?.note(index);
        }
    }
    if (stack.length === 0) {
      return found;
    }
  }
  if (!found) {
    arrive();
  }
  return found;
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2');
}
