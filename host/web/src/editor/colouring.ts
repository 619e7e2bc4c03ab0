/** Colours the lines of a result that are in sight, as YAML. */

import { StringStream } from '@codemirror/language';
import { yaml } from '@codemirror/legacy-modes/mode/yaml';
import { type Extension, RangeSetBuilder, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { highlighting } from './theme.ts';

/** What the tokens of a line are. Scalars are not named by the mode. */
const KINDS = {
  atom: tags.propertyName,
  comment: tags.comment,
  def: tags.meta,
  meta: tags.separator,
  string: tags.string,
};

/** The end of a line whose block scalar begins on the next one. */
const BLOCK_SCALAR = /[:-] [|>][+-]?$/;
/** So many lines before those in sight are searched for the key of a block scalar. */
const MOST_LINES = 1_000;
/** Longer lines are coloured up to here. */
const MOST_CHARACTERS = 10_000;

/** The state of the mode, as far as a block scalar needs it. */
interface State {
  literal: boolean;
  keyCol: number;
}

/**
 * The extension. A language would be parsed as far as the text in sight reaches, which with folded objects is nearly all of it, and
 * anew for each keystroke: a name stands all over a result.
 */
export const colouring: Extension = ViewPlugin.define((view) => new Colouring(view), {
  decorations: ({ decorations }) => decorations,
});

class Colouring {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = coloured(view);
  }

  update({ docChanged, viewportChanged, view }: ViewUpdate): void {
    if (docChanged || viewportChanged) {
      this.decorations = coloured(view);
    }
  }
}

function coloured({ state: { doc, tabSize }, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let next = 1;
  for (const { from, to } of visibleRanges) {
    const first = Math.max(doc.lineAt(from).number, next);
    next = doc.lineAt(to).number + 1;
    const state = stateBefore(doc, first);
    for (let number = first; number < next; number++) {
      const line = doc.line(number);
      for (const { from, to, mark } of tokens(new StringStream(line.text, tabSize, 2), state)) {
        builder.add(line.from + from, line.from + to, mark);
      }
    }
  }
  return builder.finish();
}

/** The tokens of a line. Neighbours of one kind are one: the mode reads scalars by character. */
function* tokens(stream: StringStream, state: State): Iterable<{ from: number; to: number; mark: Decoration }> {
  let known: { from: number; to: number; mark: Decoration } | undefined;
  while (!stream.eol() && stream.pos < MOST_CHARACTERS) {
    stream.start = stream.pos;
    const mark = marks.get(yaml.token(stream, state) ?? '') ?? scalar;
    if (known?.mark === mark) {
      known.to = stream.pos;
    } else {
      if (known) {
        yield known;
      }
      known = { from: stream.start, to: stream.pos, mark };
    }
  }
  if (known) {
    yield known;
  }
}

/** The state of the mode at the beginning of a line: it is in a block scalar if a line that is less indented begins one. */
function stateBefore(doc: Text, number: number): State {
  const state = yaml.startState?.(2) as State;
  let indent = number <= doc.lines ? indentOf(doc.line(number).text) : 0;
  for (let before = number - 1; before > 0 && indent > 0 && number - before < MOST_LINES; before--) {
    const { text } = doc.line(before);
    if (text !== '' && indentOf(text) < indent) {
      indent = indentOf(text);
      if (BLOCK_SCALAR.test(text)) {
        return { ...state, literal: true, keyCol: indent };
      }
    }
  }
  return state;
}

function indentOf(text: string): number {
  return text.search(/\S|$/);
}

function markOf(tag: typeof tags.string): Decoration {
  return Decoration.mark({ class: highlighting.style([tag]) ?? '' });
}

const marks = new Map(Object.entries(KINDS).map(([kind, tag]) => [kind, markOf(tag)]));
const scalar = markOf(tags.content);
