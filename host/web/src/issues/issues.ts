/** All that is wrong with a result, in one list: problems of the texts, warnings, conditions, and what is not ready. */

import type { Problem } from '../editor/problems.ts';
import type { Answer } from '../render/answer.ts';
import { said } from '../render/diagnostics.ts';
import { shownOf, titleOf } from '../render/object.ts';
import { type Found, objectOf, type Selection, selectionOf } from '../selection.ts';

/** How bad an issue is, the worst first. */
export const GRAVITIES = ['error', 'warning', 'condition', 'not ready'] as const;

export type Gravity = (typeof GRAVITIES)[number];

export interface Issue {
  gravity: Gravity;
  /** What is wrong, with names as in the texts. Issues that differ only in names are a group. */
  message: string;
  /** Its place in a text, with its fix. Absent for conditions and readiness. */
  problem?: Problem;
  /** The object that it is about. Absent when it is in no object that is composed. */
  about?: { title: string; selection: Selection };
}

export interface Group {
  key: string;
  gravity: Gravity;
  /** What is wrong, as the first issue says it. */
  message: string;
  issues: Issue[];
}

/** The issues in groups, the worst first. */
export function groupsOf(answer: Answer | undefined, problems: readonly Problem[]): Group[] {
  const groups = new Map<string, Group>();
  for (const issue of [...problems.map(ofProblem), ...inAnswer(answer, problems)]) {
    const key = `${issue.gravity} ${withoutNames(issue.message)}`;
    const group = groups.get(key);
    group ? group.issues.push(issue) : groups.set(key, { key, ...issue, issues: [issue] });
  }
  return [...groups.values()].sort((a, b) => GRAVITIES.indexOf(a.gravity) - GRAVITIES.indexOf(b.gravity));
}

function ofProblem(problem: Problem): Issue {
  const { diagnostic } = problem;
  const message = [said(diagnostic), diagnostic.problem.hint].filter(Boolean).join('; ');
  return { gravity: diagnostic.gravity, message, problem };
}

function inAnswer(answer: Answer | undefined, problems: readonly Problem[]): Issue[] {
  const known = new Set(problems.map(({ diagnostic }) => diagnostic.problem.message));
  const issues: Issue[] = [];
  for (const family of answer?.families ?? []) {
    for (const composite of family.composites) {
      const own = aboutOf({ family, composite });
      for (const { type, status, reason, message } of composite.conditions) {
        // What is False and says nothing is no complaint, e.g. that a model needs no token.
        if (status !== 'True' && type !== 'Ready' && message !== '' && !known.has(message)) {
          issues.push({ gravity: 'condition', message: `${type}=${status} ${reason}: ${message}`, about: own });
        }
      }
      for (const resource of composite.resources) {
        if (resource.ready !== 'ready' && resource.child === undefined) {
          issues.push(notReady({ family, composite, resource }));
        }
      }
      if (composite.ready === 'not ready') {
        issues.push(notReady({ family, composite }));
      }
    }
  }
  return issues;
}

/** Objects that are not ready are grouped by kind. */
function notReady(found: Found): Issue {
  return { gravity: 'not ready', message: shownOf(objectOf(found)).kind, about: aboutOf(found) };
}

function aboutOf(found: Found): NonNullable<Issue['about']> {
  return { title: titleOf(objectOf(found)), selection: selectionOf(found) };
}

/** The message without what stands in quotes, and without numbers. */
function withoutNames(message: string): string {
  return message.replace(/`[^`]*`|"[^"]*"|\d+/g, '…');
}
