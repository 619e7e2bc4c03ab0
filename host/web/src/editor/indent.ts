/** Wrapped lines of YAML begin below their first character, so that the indent can still be read. */

import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view';

/** Lines that are indented further wrap like these. */
const MOST = 40;

const marks = Array.from({ length: MOST + 1 }, (_, indent) => Decoration.line({ class: `cm-indent-${indent}` }));

// Classes, because the content security policy forbids style attributes.
const look = EditorView.theme(
  Object.fromEntries(
    marks.map((_, indent) => [
      `.cm-line.cm-indent-${indent}`,
      { paddingLeft: `calc(8px + ${indent}ch)`, textIndent: `-${indent}ch` },
    ]),
  ),
);

const plugin = ViewPlugin.define(
  (view) => ({
    decorations: indented(view),
    update({ docChanged, viewportChanged, view }) {
      if (docChanged || viewportChanged) {
        this.decorations = indented(view);
      }
    },
  }),
  { decorations: ({ decorations }) => decorations },
);

/** The extension. */
export const hangingIndent: Extension = [look, plugin];

function indented({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let next = 1;
  for (const { from, to } of visibleRanges) {
    const first = Math.max(next, doc.lineAt(from).number);
    next = doc.lineAt(to).number + 1;
    for (let number = first; number < next; number++) {
      const { from, text } = doc.line(number);
      // What a list item has begins after its dash.
      const indent = /^ *(?:- )*/.exec(text)?.[0].length ?? 0;
      const mark = indent > 0 ? marks[Math.min(MOST, indent)] : undefined;
      if (mark) {
        builder.add(from, from, mark);
      }
    }
  }
  return builder.finish();
}
