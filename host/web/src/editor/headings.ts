/** The headings of objects in the result: whether the object is ready, and what can be done with it. Areas have headings too. */

import { type EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import { h } from '../dom.ts';
import type { Readiness } from '../render/readiness.ts';

/** A heading, at a line from 1. */
export interface Heading {
  line: number;
  /** Absent for the heading of an area. */
  ready?: Readiness;
}

/** Something that can be done with the object below a heading. */
export interface Action {
  title: string;
  /** What it does, in a sentence. */
  what: string;
  run(): void;
}

/** What can be done with the object below the heading at a line. */
export type Actions = (line: number) => Action[];

const setHeadings = StateEffect.define<ReadonlyMap<number, Heading>>();

const known = StateField.define<ReadonlyMap<number, Heading>>({
  create: () => new Map(),
  update(headings, { effects }) {
    const set = effects.find((effect) => effect.is(setHeadings));
    return set ? (set.value as ReadonlyMap<number, Heading>) : headings;
  },
});

/** Sets the headings of a text. */
export function headingsAt(headings: readonly Heading[]): StateEffect<ReadonlyMap<number, Heading>> {
  return setHeadings.of(new Map(headings.map((heading) => [heading.line, heading])));
}

/** The extension that shows headings in sight, with a button for each action. */
export function headings(actions: Actions): Extension {
  const draw = (view: EditorView) => decorate(view.state, view.visibleRanges, actions);
  const plugin = ViewPlugin.define(
    (view) => ({
      decorations: draw(view),
      update({ view, docChanged, viewportChanged, startState }) {
        if (docChanged || viewportChanged || startState.field(known) !== view.state.field(known)) {
          this.decorations = draw(view);
        }
      },
    }),
    { decorations: ({ decorations }) => decorations },
  );
  return [known, plugin];
}

const heading = Decoration.line({ class: 'cm-heading' });

function decorate(
  state: EditorState,
  ranges: readonly { from: number; to: number }[],
  actions: Actions,
): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const all = state.field(known);
  let last = 0;
  for (const { from, to } of ranges) {
    const first = Math.max(last + 1, state.doc.lineAt(from).number);
    last = Math.max(last, state.doc.lineAt(to).number);
    for (let number = first; number <= last; number++) {
      const it = all.get(number);
      if (it) {
        const line = state.doc.line(number);
        builder.add(line.from, line.from, heading);
        if (it.ready) {
          builder.add(line.from, line.from, Decoration.widget({ widget: new Dot(it.ready), side: -1 }));
          builder.add(line.to, line.to, Decoration.widget({ widget: new Buttons(number, actions), side: 1 }));
        }
      }
    }
  }
  return builder.finish();
}

class Dot extends WidgetType {
  readonly #ready: Readiness;

  constructor(ready: Readiness) {
    super();
    this.#ready = ready;
  }

  override eq(other: Dot): boolean {
    return other.#ready === this.#ready;
  }

  override toDOM(): HTMLElement {
    return h('span', {
      class: `cm-dot cm-dot-${this.#ready.replace(' ', '-')}`,
      role: 'img',
      'aria-label': this.#ready,
    });
  }
}

class Buttons extends WidgetType {
  readonly #line: number;
  readonly #actions: Actions;

  constructor(line: number, actions: Actions) {
    super();
    this.#line = line;
    this.#actions = actions;
  }

  override eq(other: Buttons): boolean {
    return other.#line === this.#line;
  }

  override toDOM(): HTMLElement {
    return h(
      'span',
      { class: 'cm-actions' },
      ...this.#actions(this.#line).map(({ title, what, run }) =>
        h('button', { type: 'button', title: what, onclick: run }, title),
      ),
    );
  }
}
