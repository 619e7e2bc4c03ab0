/** Applies the fixes of several problems at once. */

import type { ChangeSpec } from '@codemirror/state';
import { fixChange } from './fix.ts';
import type { Problem } from './problems.ts';
import type { TextName, Texts } from './texts.ts';

/** Applies all fixes in a text that do not touch one another, as one change. Returns how many those are. */
export function fixAll(texts: Texts, name: TextName, problems: readonly Problem[]): number {
  const state = texts.state(name);
  const changes: Edit[] = [];
  for (const { text, diagnostic, span } of problems) {
    const change = text === name ? fixChange(state, diagnostic.problem, span) : undefined;
    if (change && isEdit(change) && !changes.some((other) => touches(other, change))) {
      changes.push(change);
    }
  }
  if (changes.length > 0) {
    texts.edit(name, { changes, userEvent: 'input.fix' });
  }
  return changes.length;
}

interface Edit {
  from: number;
  to?: number;
  insert?: string;
}

function isEdit(change: ChangeSpec): change is Edit {
  return typeof change === 'object' && 'from' in change;
}

function touches(one: Edit, other: Edit): boolean {
  return one.from <= (other.to ?? other.from) && other.from <= (one.to ?? one.from) && !isAddition(one, other);
}

/** Whether both only add, e.g. two missing fields at the end of one mapping. */
function isAddition(one: Edit, other: Edit): boolean {
  return one.to === undefined && other.to === undefined;
}
