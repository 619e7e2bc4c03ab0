/** Which problem is the next one, and which one is here. */

import { fixTitle } from './fix.ts';
import type { Problem } from './problems.ts';
import { TEXT_NAMES, type TextName } from './texts.ts';
import type { Span } from './tree.ts';

/** The first problem after a position of a text, through all texts, and then from the beginning. */
export function nextProblem(problems: readonly Problem[], text: TextName, position: number): Problem | undefined {
  const order = (name: TextName) => TEXT_NAMES.indexOf(name);
  const sorted = [...problems].sort((a, b) => order(a.text) - order(b.text) || a.span.from - b.span.from);
  const isAhead = (problem: Problem) =>
    order(problem.text) > order(text) || (problem.text === text && problem.span.from > position);
  return sorted.find(isAhead) ?? sorted[0];
}

/** The problem with a fix at a position of a text, or another one in its line. */
export function fixableProblem(
  problems: readonly Problem[],
  text: TextName,
  position: number,
  line: Span,
): Problem | undefined {
  const near = problems.filter(
    ({ diagnostic, text: own, span }) =>
      own === text && fixTitle(diagnostic.problem) && span.from <= line.to && span.to >= line.from,
  );
  return near.find(({ span }) => span.from <= position && position <= span.to) ?? near[0];
}
