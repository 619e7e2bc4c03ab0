/** Makes an edit of the text from the fix of a diagnostic. */

import type { ChangeSpec, EditorState } from '@codemirror/state';
import type { Problem } from '../contract.ts';
import { parent, segments } from '../path.ts';
import { inline } from '../render/print.ts';
import { find, mappingEnd, type Place, type Span } from './tree.ts';

/** The title of the fix. */
export function fixTitle(problem: Problem): string | undefined {
  switch (problem.fix?.tag) {
    case 'rename':
      return `Rename to ${problem.fix.val}`;
    case 'replace':
      return `Set to ${inline(JSON.parse(problem.fix.val))}`;
    case 'remove':
      return `Remove ${segments(problem.path).at(-1) ?? 'it'}`;
    default:
      return undefined;
  }
}

/** The edit. Absent when there is no fix, or when the text no longer has the field. */
export function fixChange(state: EditorState, problem: Problem, at: Span): ChangeSpec | undefined {
  const place = find(state, at.from, problem.path);
  switch (problem.fix?.tag) {
    case 'rename':
      return place && { ...place.key, insert: problem.fix.val };
    case 'replace':
      return replaced(state, problem.path, problem.fix.val, place, at);
    case 'remove':
      return place && removed(state, place);
    default:
      return undefined;
  }
}

function replaced(
  state: EditorState,
  path: string,
  json: string,
  place: Place | undefined,
  at: Span,
): ChangeSpec | undefined {
  const value = inline(JSON.parse(json));
  if (place?.value) {
    return { ...place.value, insert: value };
  }
  if (place) {
    return { from: place.whole.to, insert: ` ${value}` };
  }
  const end = mappingEnd(state, at.from, parent(path));
  return end && { from: end.at, insert: `${end.before}${segments(path).at(-1)}: ${value}` };
}

/** Removes the whole lines when they have nothing else, otherwise the field with its comma. */
function removed(state: EditorState, { whole }: Place): ChangeSpec {
  const [first, last] = [state.doc.lineAt(whole.from), state.doc.lineAt(whole.to)];
  const before = state.sliceDoc(first.from, whole.from);
  const after = state.sliceDoc(whole.to, last.to);
  if (before.trim() === '' && /^\s*(?:#.*)?$/.test(after)) {
    return { from: first.from, to: Math.min(state.doc.length, last.to + 1) };
  }
  const comma = /^\s*,\s*/.exec(after)?.[0].length ?? 0;
  const leading = comma > 0 ? 0 : (/,\s*$/.exec(before)?.[0].length ?? 0);
  return { from: whole.from - leading, to: whole.to + comma };
}
