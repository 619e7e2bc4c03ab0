/** The diagnostics of the modules, as the editor and the list below it show them. */

import { diagnosticCount, setDiagnostics, type Diagnostic as Underlined } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Diagnostic } from '../contract.ts';
import { h } from '../dom.ts';
import { said } from '../render/diagnostics.ts';
import { marked } from '../schema/describe.ts';
import { fixChange, fixTitle } from './fix.ts';
import { spanOf } from './positions.ts';
import { TEXT_NAMES, TEXTS, type TextName, type Texts } from './texts.ts';
import type { Span } from './tree.ts';

/** A diagnostic and its text. */
export interface Problem {
  diagnostic: Diagnostic;
  text: TextName;
  span: Span;
  /** The first line, from 1. */
  line: number;
}

/**
 * The largest number of underlined problems. Further ones are only counted, because they would make the editor slow.
 */
const UNDERLINED = 500;

/** The texts that are sources, in the order of the request. The texts after them are copies of the options. */
export const SOURCES: TextName[] = TEXT_NAMES.filter((name) => TEXTS[name].role);

/** Finds the places of diagnostics in the texts. */
export function placed(diagnostics: Diagnostic[], texts: Texts): Problem[] {
  const seen = new Set<string>();
  return diagnostics.flatMap((diagnostic) => {
    const { location } = diagnostic;
    const text = SOURCES[location?.text ?? 0] ?? 'options';
    const span = location ? spanOf(texts.state(text).doc, location) : { from: 0, to: 0 };
    // The options are sent once for each kind, so their problems come as often.
    const key = JSON.stringify([text, span, diagnostic.problem]);
    if (seen.has(key)) {
      return [];
    }
    seen.add(key);
    return [{ diagnostic, text, span, line: location?.line ?? 1 }];
  });
}

/** Underlines the problems of every text, and removes old underlines. */
export function underline(problems: Problem[], texts: Texts): void {
  for (const name of TEXT_NAMES) {
    if (diagnosticCount(texts.state(name)) === 0 && !problems.some(({ text }) => text === name)) {
      continue;
    }
    const own = problems.filter(({ text }) => text === name).slice(0, UNDERLINED);
    texts.annotate(name, (state) =>
      setDiagnostics(
        state,
        own.map((problem) => underlined(problem, state)),
      ),
    );
  }
}

/** Applies the fix of a problem. Returns false when the text no longer has the field. */
export function applyFix(view: EditorView, problem: Problem): boolean {
  const changes = fixChange(view.state, problem.diagnostic.problem, problem.span);
  if (changes) {
    view.dispatch({ changes, userEvent: 'input.fix' });
  }
  return changes !== undefined;
}

function underlined(problem: Problem, state: EditorState): Underlined {
  const { diagnostic } = problem;
  const { hint } = diagnostic.problem;
  const message = said(diagnostic);
  const title = fixTitle(diagnostic.problem);
  const length = state.doc.length;
  return {
    from: Math.min(problem.span.from, length),
    to: Math.min(problem.span.to, length),
    severity: diagnostic.gravity,
    message,
    renderMessage: () =>
      h('div', {}, ...marked(message), hint !== undefined && h('div', { class: 'hint' }, ...marked(hint))),
    actions: title === undefined ? [] : [{ name: title, apply: (view) => void applyFix(view, problem) }],
  };
}
