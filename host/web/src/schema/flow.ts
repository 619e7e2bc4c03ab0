/** Flow style: what is open at a position, `{` by `{`. Here brackets decide where something belongs, and not indentation. */

import type { Text } from '@codemirror/state';

/** Where a position is in flow style. */
export interface Flow {
  /** The line on which the outermost bracket stands, from 1; its indent with dashes; and the key before the bracket. */
  line: number;
  lead: string;
  key?: string | undefined;
  /** The collections that are open, outermost first. */
  open: { at?: string | undefined; entries: Entries }[];
  /** What the outermost collection holds. */
  outermost: Entries;
  /** What is written of the key or the value at the position. */
  word: string;
}

/** Keys with the text of their values. */
type Entries = Map<string, string>;

/** Lines above in which a bracket is looked for, and characters that are looked at: typing is not slowed down. */
const [REACH_LINES, REACH_CHARACTERS] = [200, 20_000];

/** A line that has a collection in flow style, up to its bracket. */
const OPENING = /^(\s*(?:-\s+)*)(?:(["']?)([\w./-]+)\2:\s+)?(?=[{[])/;
const TOKENS =
  /"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)|(?<=\s)#.*|[{}[\],]|:(?=[\s,{}[\]]|$)|(?<=["']):|[^\s"'{}[\],:#][^\s{}[\],:#]*|\S/g;

/** What is open at `position`. Absent when nothing is, and inside quotes and comments. */
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

/** A collection while it is read. */
class Collection {
  readonly entries: Entries = new Map();
  readonly #isList: boolean;
  #key: string | undefined;
  /** Where what stands in it since the last comma or colon starts. */
  #start: number | undefined;

  constructor(isList: boolean) {
    this.#isList = isList;
  }

  /** The key whose value is being read; in lists `0`. */
  get at(): string | undefined {
    return this.#isList ? '0' : this.#key;
  }

  /** Something stands at this place. */
  note(at: number): void {
    this.#start ??= at;
  }

  written(source: string, end: number): string {
    return this.#start === undefined ? '' : source.slice(this.#start, end);
  }

  /** What was written is a key. */
  turn(source: string, end: number): void {
    if (this.at === undefined) {
      this.#key = unquoted(this.written(source, end));
      this.#start = undefined;
    }
  }

  /** What was written is all of an entry, which counts or not. */
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

/** Reads from an opening bracket to the one that closes it, or to the end. */
function read(source: string, position: number): Pick<Flow, 'open' | 'outermost' | 'word'> | undefined {
  const outermost = new Collection(source.startsWith('['));
  const stack: Collection[] = [];
  let found: Pick<Flow, 'open' | 'outermost' | 'word'> | undefined;
  /** The collection with the entry that is being written, which stands beside the others and is none of them. */
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
