/** The editor that shows the result: read only, with links from its lines to the source lines that caused them. */

import { defaultKeymap } from '@codemirror/commands';
import { codeFolding, foldGutter, foldKeymap, unfoldAll } from '@codemirror/language';
import { diff, unifiedMergeView } from '@codemirror/merge';
import { searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Fold } from '../sheet.ts';
import { colouring } from './colouring.ts';
import { Folded, folding } from './folding.ts';
import { mark, marks } from './marks.ts';
import { mount } from './mount.ts';
import { theme } from './theme.ts';

export interface OutputHooks {
  /** The explanation of a line, from 1. */
  explain(line: number): HTMLElement | undefined;
  /** Goes to the source line that caused a line. */
  follow(line: number): void;
  /** The pointer is on a line; undefined when it has left. */
  pointed(line: number | undefined): void;
}

/** The limits of a comparison. When it reaches them, the rest of the texts counts as one change. */
const EFFORT = { scanLimit: 500, timeout: 20 };

const setLinks = StateEffect.define<readonly number[]>();

class Dot extends GutterMarker {
  override toDOM(): Node {
    const dot = document.createElement('span');
    dot.className = 'cm-why-dot';
    return dot;
  }
}

const dot = new Dot();

const links = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(shown, { effects, state, changes }) {
    for (const effect of effects) {
      if (effect.is(setLinks)) {
        const builder = new RangeSetBuilder<GutterMarker>();
        for (const line of effect.value) {
          const { from } = state.doc.line(line);
          builder.add(from, from, dot);
        }
        return builder.finish();
      }
    }
    return shown.map(changes);
  },
});

export class Output {
  readonly view: EditorView;
  readonly #comparison = new Compartment();
  readonly #folded: Folded;
  #text = '';

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
          gutter({ class: 'cm-why', markers: (view) => view.state.field(links) }),
          links,
          foldGutter({ openText: '▾', closedText: '▸' }),
          codeFolding(),
          folding,
          drawSelection(),
          EditorView.lineWrapping,
          highlightActiveLine(),
          EditorState.readOnly.of(true),
          keymap.of([{ key: 'Enter', run: follow }, ...defaultKeymap, ...searchKeymap, ...foldKeymap]),
          colouring,
          theme,
          marks,
          this.#comparison.of([]),
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
                hooks.follow(view.state.doc.lineAt(position).number);
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
  show(text: string, linked: readonly number[], folds: readonly Fold[]): void {
    const changes = diff(this.#text, text, EFFORT).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: text.slice(fromB, toB),
    }));
    this.#text = text;
    this.view.dispatch({ changes, effects: setLinks.of(linked) });
    this.#folded.show(folds);
  }

  /** Shows the changes since `previous`, or no changes when it is undefined. */
  compare(previous: string | undefined): void {
    const extension =
      previous === undefined
        ? []
        : unifiedMergeView({
            original: previous,
            mergeControls: false,
            collapseUnchanged: { margin: 4, minSize: 8 },
            diffConfig: { ...EFFORT, timeout: 100 },
          });
    if (previous !== undefined) {
      unfoldAll(this.view); // a change may be anywhere
    }
    this.view.dispatch({ effects: this.#comparison.reconfigure(extension) });
  }

  /** Marks lines and, if `scroll`, scrolls to the first. */
  mark(lines: readonly number[], scroll = false): void {
    const { effects } = mark(lines);
    const first = lines[0];
    if (scroll && first !== undefined) {
      this.#folded.open(first);
    }
    const position =
      scroll && first !== undefined && first <= this.view.state.doc.lines
        ? this.view.state.doc.line(first).from
        : undefined;
    const scrolling = position === undefined ? [] : [EditorView.scrollIntoView(position, { y: 'center' })];
    this.view.dispatch({ effects: [effects, ...scrolling] });
  }
}
