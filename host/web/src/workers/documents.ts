/** The documents of a text, and which of them an edit changed. */

import { kindKey } from '../contract.ts';
import { kindsIn } from '../kinds.ts';

export interface Document {
  /** With the line that separates it from the one before. */
  text: string;
  /** The number of lines before it. */
  line: number;
  /** The number of its lines. */
  height: number;
  /** The kinds that are written in it, as `kindKey` has them. */
  kinds: string[];
}

const SEPARATOR = /^---(?=\s|$)/gm;

/** Splits a text at the lines that begin with `---`, as the component does. `known`: the documents of the text before. */
export function documentsOf(text: string, known: Document[] = []): Document[] {
  const starts = [0, ...[...text.matchAll(SEPARATOR)].map(({ index }) => index).filter((index) => index > 0)];
  const texts = starts.map((start, index) => text.slice(start, starts[index + 1]));
  const { from, before, now } = changed(known, texts);
  let line = 0;
  return texts.map((text, index): Document => {
    const same = index < from ? known[index] : index < from + now ? undefined : known[index + before - now];
    const height = same?.height ?? text.split('\n').length - 1;
    const kinds = same?.kinds ?? kindsIn(text).map(kindKey);
    const document = { text, line, height, kinds };
    line += height;
    return document;
  });
}

/** The documents that differ: after so many equal ones, so many before, and now. Those that follow are equal too. */
export interface Edit {
  from: number;
  before: number;
  now: number;
}

export function edited(before: Document[], now: Document[]): Edit {
  return changed(
    before,
    now.map(({ text }) => text),
  );
}

function changed(before: Document[], now: string[]): Edit {
  const least = Math.min(before.length, now.length);
  let from = 0;
  while (from < least && before[from]?.text === now[from]) {
    from++;
  }
  let after = 0;
  while (after < least - from && before.at(-1 - after)?.text === now.at(-1 - after)) {
    after++;
  }
  return { from, before: before.length - from - after, now: now.length - from - after };
}

/** A text with some of its documents only, in their lines. */
export function only(documents: Document[]): string {
  let text = '';
  let line = 0;
  for (const document of documents) {
    text += '\n'.repeat(Math.max(0, document.line - line)) + document.text;
    line = document.line + document.height;
  }
  return text;
}
