/** The texts of the user: one editor, which shows one text at a time. Each text has its own history. */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { bracketMatching, codeFolding, foldKeymap, indentOnInput } from '@codemirror/language';
import { openLintPanel } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, type Transaction, type TransactionSpec } from '@codemirror/state';
import {
  activateHover,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import type { Source } from '../contract.ts';
import { completeBySchema } from '../schema/complete.ts';
import { hoverBySchema } from '../schema/hover.ts';
import type { Kinds } from '../schema/schema.ts';
import { grammar } from './grammar.ts';
import { marks } from './marks.ts';
import { mount } from './mount.ts';
import { theme } from './theme.ts';

export type TextName = 'manifest' | 'observed' | 'required' | 'options';

/** A description of each text. Diagnostics and the module use its file name. */
export const TEXTS: Record<TextName, { title: string; file: string; role?: Source['role']; about: string }> = {
  manifest: {
    title: 'Manifest',
    file: 'manifest.yaml',
    role: 'subject',
    about: 'Composites to preview, as YAML documents.',
  },
  observed: {
    title: 'Observed',
    file: 'observed.yaml',
    role: 'observed',
    about:
      'Composed resources as they are in the cluster, to see readiness.\n\nPaste what `kubectl get … -o yaml` prints.',
  },
  required: {
    title: 'Required',
    file: 'required.yaml',
    role: 'available',
    about: 'Other objects in the cluster, for what compositions look up.',
  },
  options: {
    title: 'Options',
    file: 'options.yaml',
    about: 'The input of the pipeline step: constants and switches of the platform.',
  },
};

export const TEXT_NAMES = Object.keys(TEXTS) as TextName[];

/** The functions that the editor calls. */
export interface Hooks {
  changed(name: TextName): void;
  kinds(name: TextName): Kinds;
  /** The pointer is on a line of the visible text, from 1; undefined when it has left. */
  pointed(line: number | undefined): void;
  /** The user moved the cursor to a line of the visible text, from 1, without an edit. */
  moved(line: number): void;
}

export class Texts {
  readonly view: EditorView;
  #shown: TextName = 'manifest';
  readonly #hidden: Map<TextName, EditorState>;
  readonly #hooks: Hooks;

  constructor(host: HTMLElement, hooks: Hooks) {
    this.#hooks = hooks;
    this.#hidden = new Map(
      TEXT_NAMES.map((name) => [name, EditorState.create({ extensions: extensions(name, hooks) })]),
    );
    this.view = mount(host, this.state('manifest'));
  }

  get shown(): TextName {
    return this.#shown;
  }

  /** The current state of a text. */
  state(name: TextName): EditorState {
    const state = name === this.#shown ? this.view?.state : undefined;
    return state ?? (this.#hidden.get(name) as EditorState);
  }

  text(name: TextName): string {
    return this.state(name).doc.toString();
  }

  show(name: TextName): void {
    if (name !== this.#shown) {
      const next = this.state(name);
      this.#hidden.set(this.#shown, this.view.state);
      this.#shown = name;
      this.view.setState(next);
    }
  }

  /** Replaces a text. The user can undo it. */
  replace(name: TextName, text: string): void {
    this.edit(name, {
      changes: { from: 0, to: this.state(name).doc.length, insert: text },
      annotations: isolateHistory.of('full'), // it is undone alone, even right after a keystroke
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }

  /** Edits a text, whether it is shown or not. */
  edit(name: TextName, spec: TransactionSpec): void {
    this.annotate(name, () => spec);
    if (name !== this.#shown) {
      this.#hooks.changed(name); // listeners hear of the visible text only
    }
  }

  /** Changes the state of a text without an edit, e.g. its diagnostics. */
  annotate(name: TextName, spec: (state: EditorState) => TransactionSpec): void {
    const state = this.state(name);
    if (name === this.#shown) {
      this.view.dispatch(spec(state));
    } else {
      this.#hidden.set(name, state.update(spec(state)).state);
    }
  }

  /** Selects a range of the visible text, and opens what is said there. */
  explain(from: number, to: number): void {
    const most = this.view.state.doc.length;
    const [start, end] = [Math.min(from, most), Math.min(to, most)];
    this.view.focus();
    this.view.dispatch({
      selection: { anchor: end, head: start },
      effects: EditorView.scrollIntoView(start, { y: 'center' }),
    });
    const until = ({ docChanged, newSelection }: Transaction) => docChanged || newSelection.main.head !== start;
    activateHover(this.view, start, 1, { until });
  }

  /** Brings a place of the shown text in sight. */
  look(at: number): void {
    this.view.dispatch({ effects: EditorView.scrollIntoView(Math.min(at, this.view.state.doc.length)) });
  }

  /** Selects a range, scrolls to it and, if `focus`, focuses the editor. */
  go(name: TextName, from: number, to: number, focus = true): void {
    this.show(name);
    const most = this.view.state.doc.length;
    this.view.dispatch({
      selection: { anchor: Math.min(from, most), head: Math.min(to, most) },
      effects: EditorView.scrollIntoView(Math.min(from, most), { y: 'center' }),
    });
    if (focus) {
      this.view.focus();
    }
  }
}

function extensions(name: TextName, hooks: Hooks): Extension {
  const { title, about } = TEXTS[name];
  const kinds = () => hooks.kinds(name);
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    codeFolding(),
    drawSelection(),
    EditorView.lineWrapping,
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    autocompletion({ override: [completeBySchema(kinds)], icons: false }),
    hoverBySchema(kinds),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      { key: 'Mod-Shift-m', run: openLintPanel, preventDefault: true },
      indentWithTab,
    ]),
    grammar,
    theme,
    marks,
    placeholder(about),
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': `${title}, YAML` }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        hooks.changed(name);
      } else if (update.transactions.some((transaction) => transaction.isUserEvent('select'))) {
        hooks.moved(update.state.doc.lineAt(update.state.selection.main.head).number);
      }
    }),
    EditorView.domEventHandlers({
      mousemove: (event, view) => {
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
        hooks.pointed(position === null ? undefined : view.state.doc.lineAt(position).number);
      },
      mouseleave: () => hooks.pointed(undefined),
    }),
  ];
}
