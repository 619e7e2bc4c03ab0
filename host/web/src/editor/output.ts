/** The editor that shows a result: read only, with links from its lines to what caused them. */

import { defaultKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { codeFolding, foldGutter, foldKeymap } from '@codemirror/language';
import { unifiedMergeView } from '@codemirror/merge';
import { searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField, Text } from '@codemirror/state';
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
import { mark, marks } from './marks.ts';
import { mount } from './mount.ts';
import { theme } from './theme.ts';

export interface OutputHooks {
  /** What explains a line, from 1. */
  explain(line: number): HTMLElement | undefined;
  /** Goes to what caused a line. */
  follow(line: number): void;
  /** The pointer is on a line; undefined when it left. */
  pointed(line: number | undefined): void;
}

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
  readonly #diff = new Compartment();

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
          drawSelection(),
          EditorView.lineWrapping,
          highlightActiveLine(),
          EditorState.readOnly.of(true),
          keymap.of([{ key: 'Enter', run: follow }, ...defaultKeymap, ...searchKeymap, ...foldKeymap]),
          yaml(),
          theme,
          marks,
          this.#diff.of([]),
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
            // Not `click`: a press draws the line anew, and what is gone by the time it ends is not clicked.
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
  }

  /** Shows a text with links on these lines. What stayed the same keeps its place on the screen. */
  show(text: string, linked: readonly number[]): void {
    const old = this.view.state.doc;
    const next = Text.of(text.split('\n'));
    const changes = difference(old, next);
    this.view.dispatch({ changes, effects: setLinks.of(linked) });
  }

  /** Shows what changed since `previous`, or nothing of the sort. */
  compare(previous: string | undefined): void {
    const extension =
      previous === undefined
        ? []
        : unifiedMergeView({
            original: previous,
            mergeControls: false,
            collapseUnchanged: { margin: 4, minSize: 8 },
            diffConfig: { scanLimit: 500, timeout: 100 },
          });
    this.view.dispatch({ effects: this.#diff.reconfigure(extension) });
  }

  /** Marks lines and, when asked to, scrolls to the first. */
  mark(lines: readonly number[], scroll = false): void {
    const { effects } = mark(lines);
    const first = lines[0];
    const position =
      scroll && first !== undefined && first <= this.view.state.doc.lines
        ? this.view.state.doc.line(first).from
        : undefined;
    const scrolling = position === undefined ? [] : [EditorView.scrollIntoView(position, { y: 'center' })];
    this.view.dispatch({ effects: [effects, ...scrolling] });
  }
}

/** One change from the first to the last line that differ. */
function difference(old: Text, next: Text): { from: number; to: number; insert: Text } | [] {
  if (old.eq(next)) {
    return [];
  }
  const [a, b] = [old.iterLines(), next.iterLines()];
  let from = 0;
  for (;;) {
    const [left, right] = [a.next(), b.next()];
    if (left.done || right.done || left.value !== right.value) {
      break;
    }
    from += left.value.length + 1;
  }
  from = Math.min(from, old.length, next.length);
  const most = Math.min(old.length, next.length) - from;
  let same = 0;
  const [before, after] = [old.iter(-1), next.iter(-1)];
  // Chunk by chunk from the end; texts share their pieces only by accident, so lengths are compared by characters.
  const [tailA, tailB] = [reader(before), reader(after)];
  while (same < most && tailA() === tailB()) {
    same++;
  }
  return { from, to: old.length - same, insert: next.slice(from, next.length - same) };
}

function reader(iterator: ReturnType<Text['iter']>): () => string {
  let [chunk, left] = ['', 0];
  return () => {
    while (left === 0) {
      const { value, done } = iterator.next();
      if (done) {
        return '';
      }
      [chunk, left] = [value, value.length];
    }
    return chunk[--left] ?? '';
  };
}
