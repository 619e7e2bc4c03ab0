/** Finds the source lines that cause values, and the values that a source line causes. */

import { positionOf } from './editor/positions.ts';
import { SOURCES } from './editor/problems.ts';
import type { TextName, Texts } from './editor/texts.ts';
import { find, type Span } from './editor/tree.ts';
import { parent } from './path.ts';
import type { Family } from './render/answer.ts';
import type { Sheet } from './sheet.ts';

/** The place of a cause in a text. */
export interface Origin extends Span {
  text: TextName;
  /** The line, from 1. */
  line: number;
}

/** Causes that start with this are fields of the options. */
const INPUT = 'input.';

/** Finds causes in the texts from which the answer was made. It finds each one only when it is needed. */
export class Origins {
  readonly #texts: Texts;
  readonly #sheet: Sheet;
  readonly #known = new Map<Family, Map<string, Origin | undefined>>();
  readonly #caused = new Map<string, number[]>();

  constructor(texts: Texts, sheet: Sheet) {
    this.#texts = texts;
    this.#sheet = sheet;
  }

  /** The place of a field of a composite or of the options. Undefined when the field is not in the text. */
  of(family: Family, cause: string): Origin | undefined {
    const known = this.#known.get(family) ?? new Map<string, Origin | undefined>();
    this.#known.set(family, known);
    if (!known.has(cause)) {
      known.set(cause, this.#find(family, cause));
    }
    return known.get(cause);
  }

  /** The place of a field, or of what is around it when the field is not in the text. */
  nearest(family: Family, cause: string): Origin | undefined {
    for (let path = cause; path !== ''; path = parent(path)) {
      const origin = this.of(family, path);
      if (origin) {
        return origin;
      }
    }
    return undefined;
  }

  /** The place of the first cause of a line of the result, from 1. */
  ofLine(line: number): Origin | undefined {
    const link = this.#sheet.links.get(line);
    return link?.derivation.causes.map((cause) => this.of(link.family, cause)).find((origin) => origin);
  }

  /** The lines of the result that a source line causes, from 1, in order. */
  causedBy(text: TextName, line: number): number[] {
    const key = `${text} ${line}`;
    const known = this.#caused.get(key) ?? this.#causedBy(text, line);
    this.#caused.set(key, known);
    return known;
  }

  #causedBy(text: TextName, line: number): number[] {
    const isHere = (origin: Origin | undefined) => origin?.text === text && origin.line === line;
    const isOf = text === 'options' ? () => true : this.#writtenAround(text, line);
    return [...this.#sheet.links].flatMap(([at, { family, derivation }]) =>
      isOf(family) && derivation.causes.some((cause) => isHere(this.of(family, cause))) ? [at] : [],
    );
  }

  /** Says which families may have fields in a line: not those that begin below it, nor those that another follows above it. */
  #writtenAround(text: TextName, line: number): (family: Family) => boolean {
    const families = new Set(this.#sheet.sections.map(({ family }) => family));
    const starts = [...families].flatMap(({ origin }) => (SOURCES[origin.text] === text ? [origin.line] : []));
    const last = Math.max(0, ...starts.filter((start) => start < line));
    return ({ origin }) => SOURCES[origin.text] === text && origin.line >= last && origin.line <= line;
  }

  #find(family: Family, cause: string): Origin | undefined {
    const ofInput = cause.startsWith(INPUT);
    const text = ofInput ? 'options' : (SOURCES[family.origin.text] ?? 'manifest');
    const state = this.#texts.state(text);
    const start = ofInput ? 0 : positionOf(state.doc, family.origin.line, family.origin.column);
    const place = find(state, start, ofInput ? cause.slice(INPUT.length) : cause);
    if (!place) {
      return undefined;
    }
    const { from } = place.key;
    return { text, from, to: place.value?.to ?? place.whole.to, line: state.doc.lineAt(from).number };
  }
}
