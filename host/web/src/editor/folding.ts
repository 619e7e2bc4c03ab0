/** Folds objects and areas of the result. */

import { codeFolding, foldEffect, foldedRanges, foldService, unfoldEffect } from '@codemirror/language';
import { type EditorState, type Extension, StateEffect, StateField, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { h } from '../dom.ts';
import type { Fold } from '../sheet.ts';
import type { Span } from './tree.ts';

/** In a text with more lines, areas and very long objects are folded at first. */
const MOST_LINES = 300;

const setFolds = StateEffect.define<readonly Fold[]>();

/** What can be folded, by the first line. */
const foldable = StateField.define<ReadonlyMap<number, Fold>>({
  create: () => new Map(),
  update(known, { effects }) {
    const set = effects.find((effect) => effect.is(setFolds));
    return set ? new Map((set.value as readonly Fold[]).map((fold) => [fold.line, fold])) : known;
  },
});

/** The extension that lets people fold objects and areas at their first lines. */
export const folding: Extension = [
  foldable,
  codeFolding({ preparePlaceholder: labelOf, placeholderDOM: placeholder }),
  foldService.of((state, start) => {
    const fold = state.field(foldable).get(state.doc.lineAt(start).number);
    return fold ? spanOf(state, fold) : null;
  }),
];

/** What is folded in a view. */
export class Folded {
  readonly #view: EditorView;
  /** Those that are folded at first and were there before. */
  #known = new Set<string>();

  constructor(view: EditorView) {
    this.#view = view;
  }

  /** Sets what can be folded in a state. Folds what is new in a large text; what somebody opened stays open. */
  show(state: EditorState, folds: readonly Fold[]): TransactionSpec {
    const isLarge = state.doc.lines > MOST_LINES;
    const candidates = folds.filter(({ atFirst }) => atFirst === 'always' || (isLarge && atFirst !== 'never'));
    const fresh = candidates.filter(({ key }) => !this.#known.has(key));
    this.#known = new Set(candidates.map(({ key }) => key));
    const stretched = stretchedIn(state, folds);
    const added = [...stretched.map(({ now }) => now), ...fresh.map((fold) => spanOf(state, fold))];
    added.sort((one, other) => one.from - other.from); // the editor takes them in this order only
    return {
      effects: [
        setFolds.of(folds),
        ...stretched.map(({ before }) => unfoldEffect.of(before)),
        ...added.map((span) => foldEffect.of(span)),
      ],
    };
  }

  /** Folds everything as at first. */
  reset(folds: readonly Fold[]): void {
    this.#known.clear();
    this.#view.dispatch(this.show(this.#view.state, folds));
  }

  /** Unfolds what hides a line. */
  open(line: number): void {
    const { state } = this.#view;
    if (line > state.doc.lines) {
      return;
    }
    const { from } = state.doc.line(line);
    const hiding = ranges(state).filter((range) => range.from <= from && from <= range.to);
    this.#view.dispatch({ effects: hiding.map((range) => unfoldEffect.of(range)) });
  }
}

/** What is folded ends where it ends now: lines may have come or gone at its end. */
function stretchedIn(state: EditorState, folds: readonly Fold[]): { before: Span; now: Span }[] {
  const folded = ranges(state);
  if (folded.length === 0) {
    return [];
  }
  const now = new Map(folds.map((fold) => [fold.line, fold]));
  return folded.flatMap((range) => {
    const fold = now.get(state.doc.lineAt(range.from).number);
    const span = fold && spanOf(state, fold);
    return span && span.to !== range.to ? [{ before: range, now: span }] : [];
  });
}

/** What stands in the place of a fold. */
function labelOf(state: EditorState, { from }: Span): string {
  return state.field(foldable).get(state.doc.lineAt(from).number)?.label ?? '…';
}

function placeholder(_: EditorView, onclick: (event: Event) => void, label: string): HTMLElement {
  const title = 'unfold';
  return h('button', { type: 'button', class: 'cm-foldPlaceholder', tabindex: -1, title, onclick }, label);
}

/** What is hidden. */
function spanOf({ doc }: EditorState, { line, last, whole }: Fold): Span {
  const first = doc.line(Math.min(line, doc.lines));
  return { from: whole ? first.from : first.to, to: doc.line(Math.min(last, doc.lines)).to };
}

function ranges(state: EditorState): Span[] {
  const found: Span[] = [];
  foldedRanges(state).between(0, state.doc.length, (from, to) => {
    found.push({ from, to });
  });
  return found;
}
