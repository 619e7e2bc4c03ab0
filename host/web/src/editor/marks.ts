/** Marks lines that belong to the line under the pointer in another editor. */

import { type EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

const setMarks = StateEffect.define<readonly number[]>();
const linked = Decoration.line({ class: 'cm-linked' });

/** Marks these lines, from 1 in order, and removes other marks. */
export function mark(lines: readonly number[]): { effects: StateEffect<readonly number[]> } {
  return { effects: setMarks.of(lines) };
}

/** The extension that shows the marks. */
export const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        return decorate(transaction.state, effect.value);
      }
    }
    return shown.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorate({ doc }: EditorState, lines: readonly number[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const line of lines) {
    if (line >= 1 && line <= doc.lines) {
      const { from } = doc.line(line);
      builder.add(from, from, linked);
    }
  }
  return builder.finish();
}
