/** The editor that shows the result: read only, with links from its lines to the source lines that caused them. */

import { defaultKeymap } from '@codemirror/commands';
import { foldGutter, foldKeymap } from '@codemirror/language';
import { diff } from '@codemirror/merge';
import { searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  highlightActiveLine,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { differing, type Pair } from '../compare/align.ts';
import type { Fold } from '../sheet.ts';
import { colouring } from './colouring.ts';
import { Comparison } from './comparison.ts';
import { Folded, folding } from './folding.ts';
import { type Actions, type Heading, headings, headingsAt } from './headings.ts';
import { mark, marks } from './marks.ts';
import { mount } from './mount.ts';
import { theme } from './theme.ts';

export interface OutputHooks {
  /** What can be done with an object. */
  actions: Actions;
  /** The explanation of a line, from 1. */
  explain(line: number): HTMLElement | undefined;
  /** A line was pressed. */
  chosen(line: number): void;
  /** Goes to the source line that caused a line. */
  follow(line: number): void;
  /** The pointer is on a line; undefined when it has left. */
  pointed(line: number | undefined): void;
}

/** The limits of a comparison. When it reaches them, the rest of the texts counts as one change. */
const EFFORT = { scanLimit: 500, timeout: 20 };

/** What differs between two texts, object by object: a new name changes the heads of objects, however long these are. */
function changed(before: string, after: string): Pair[] {
  const end = performance.now() + EFFORT.timeout;
  return differing(before, after).flatMap((pair) => {
    const { fromA, toA, fromB, toB } = pair;
    return performance.now() > end
      ? [pair]
      : diff(before.slice(fromA, toA), after.slice(fromB, toB), EFFORT).map((change) => ({
          fromA: fromA + change.fromA,
          toA: fromA + change.toA,
          fromB: fromB + change.fromB,
          toB: fromB + change.toB,
        }));
  });
}

/** A part of a text, as a string of its own: engines keep the whole text in memory for a small slice of it. */
function part(text: string, from: number, to: number): string {
  const slice = text.slice(from, to);
  return 2 * slice.length < text.length ? JSON.parse(JSON.stringify(slice)) : slice;
}

/** Characters that change the direction of what follows, and that CodeMirror does not show by itself. */
const REVERSING = /[\u202a-\u202c\u2068]/g;

const setLinks = StateEffect.define<{ has(line: number): boolean }>();

class Dot extends GutterMarker {
  override toDOM(): Node {
    const dot = document.createElement('span');
    dot.className = 'cm-why-dot';
    return dot;
  }
}

const dot = new Dot();

/** The lines with links, from 1. There may be thousands, of which the gutter asks for those in sight. */
const links = StateField.define<{ has(line: number): boolean }>({
  create: () => new Set<number>(),
  update(shown, { effects }) {
    return effects.find((effect) => effect.is(setLinks))?.value ?? shown;
  },
});

export class Output {
  readonly view: EditorView;
  readonly #comparison = new Comparison();
  readonly #folded: Folded;
  #folds: readonly Fold[] = [];
  #text = '';
  #marked = false;

  constructor(host: HTMLElement, hooks: OutputHooks) {
    const follow = (view: EditorView) => {
      hooks.follow(view.state.doc.lineAt(view.state.selection.main.head).number);
      return true;
    };
    this.view = mount(
      host,
      EditorState.create({
        extensions: [
          lineNumbers(),
          gutter({
            class: 'cm-why',
            lineMarker: ({ state }, { from }) => (state.field(links).has(state.doc.lineAt(from).number) ? dot : null),
            lineMarkerChange: ({ startState, state }) => startState.field(links) !== state.field(links),
          }),
          links,
          foldGutter({ openText: '▾', closedText: '▸' }),
          folding,
          headings(hooks.actions),
          highlightSpecialChars({ addSpecialChars: REVERSING }),
          drawSelection(),
          EditorView.lineWrapping,
          highlightActiveLine(),
          EditorState.readOnly.of(true),
          keymap.of([{ key: 'Enter', run: follow }, ...defaultKeymap, ...searchKeymap, ...foldKeymap]),
          colouring,
          theme,
          marks,
          this.#comparison.extension,
          EditorView.contentAttributes.of({
            tabindex: '0',
            'aria-label': 'Result, YAML. Enter goes to what caused the line.',
          }),
          hoverTooltip((view, position) => {
            const line = view.state.doc.lineAt(position);
            const dom = hooks.explain(line.number);
            return dom ? { pos: line.from, above: false, create: () => ({ dom }) } : null;
          }),
          EditorView.domEventHandlers({
            // Not `click`: pressing redraws the line, and a removed element gets no click.
            mouseup: (event, view) => {
              const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
              if (event.button === 0 && position !== null && view.state.selection.main.empty) {
                hooks.chosen(view.state.doc.lineAt(position).number);
              }
            },
            mousemove: (event, view) => {
              const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
              hooks.pointed(position === null ? undefined : view.state.doc.lineAt(position).number);
            },
            mouseleave: () => hooks.pointed(undefined),
          }),
        ],
      }),
    );
    this.#folded = new Folded(this.view);
  }

  /**
   * Shows a text with links on these lines. Unchanged parts are not parsed and drawn again, and the view does not move.
   * Areas of a large text are folded at first.
   */
  show(
    text: string,
    linked: { has(line: number): boolean },
    folds: readonly Fold[],
    headings: readonly Heading[],
  ): void {
    const isShort = 2 * text.length < this.#text.length; // what stays of a much longer text would keep all of it in memory
    const changes = isShort
      ? { from: 0, to: this.#text.length, insert: text }
      : changed(this.#text, text).map(({ fromA, toA, fromB, toB }) => ({
          from: fromA,
          to: toA,
          insert: part(text, fromB, toB),
        }));
    this.#text = text;
    this.#folds = folds;
    // In one update, since each lays the page out anew.
    const edit = this.view.state.update({ changes, effects: [setLinks.of(linked), headingsAt(headings)] });
    this.view.dispatch([edit, edit.state.update(this.#folded.show(edit.state, folds))]);
    this.#comparison.refresh(this.view);
  }

  /** Shows the changes since `original`, or no changes when it is undefined. */
  compare(original: string | undefined): void {
    this.#comparison.set(this.view, original);
    if (original === undefined) {
      this.#folded.reset(this.#folds);
    }
  }

  /** The first line of each change, from 1. */
  get changes(): number[] {
    return this.#comparison.lines(this.view);
  }

  nextChange(): void {
    this.#comparison.next(this.view);
  }

  previousChange(): void {
    this.#comparison.previous(this.view);
  }

  /** Marks lines. */
  mark(lines: readonly number[]): void {
    if (lines.length > 0 || this.#marked) {
      this.#marked = lines.length > 0;
      this.view.dispatch(mark(lines));
    }
  }

  /** The first line in sight. */
  get first(): number {
    return this.view.state.doc.lineAt(this.#heightAt(0)).number;
  }

  /** Whether a line is in sight. */
  has(line: number): boolean {
    const last = this.view.state.doc.lineAt(this.#heightAt(this.view.scrollDOM.clientHeight)).number;
    return this.first <= line && line <= last;
  }

  /** The position at a height of the box that scrolls. */
  #heightAt(height: number): number {
    return this.view.lineBlockAtHeight(this.view.scrollDOM.scrollTop + height).from;
  }

  /** Unfolds what hides a line, brings it in sight, and puts the cursor there. */
  reveal(line: number): void {
    this.#folded.open(line);
    this.#scroll(line, 'center');
    const { doc } = this.view.state;
    this.view.dispatch({ selection: { anchor: doc.line(Math.min(line, doc.lines)).from } });
  }

  /** Scrolls until a line is the first one. What hides it stays folded, which a cursor there would open. */
  scrollTo(line: number): void {
    this.#scroll(line, 'start');
    requestAnimationFrame(() => this.#scroll(line, 'start')); // once more, when all lines around it have their heights
  }

  /** Keeps a line in sight while what is around the result takes some of its room. */
  keep(line: number): void {
    requestAnimationFrame(() => this.#scroll(line, 'nearest'));
  }

  #scroll(line: number, y: 'start' | 'center' | 'nearest'): void {
    const { doc } = this.view.state;
    if (line <= doc.lines) {
      this.view.dispatch({ effects: EditorView.scrollIntoView(doc.line(line).from, { y }) });
    }
  }
}
