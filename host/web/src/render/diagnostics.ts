/** What is wrong with texts, from everybody who says so. */

import type { Diagnostic, Findings, Location, Response } from '../contract.ts';

/**
 * What a preview and a check say together: a preview knows what composing needs, a check what admission refuses beyond
 * that, and most of it both. A warning that a composition gives itself stands among its results.
 */
export function together({ composites, diagnostics }: Response, findings: Findings): Diagnostic[] {
  const said = new Set(composites.flatMap(({ results }) => results.map(({ outcome }) => outcome.message)));
  const isNews = ({ gravity, problem }: Diagnostic) => gravity === 'error' || !said.has(problem.message);
  return inOrder([...diagnostics, ...findings.diagnostics.filter(isNews)]);
}

/** Each diagnostic once, in the order of the texts; those without a place come last. */
export function inOrder(diagnostics: Diagnostic[]): Diagnostic[] {
  const unique = new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
  return [...unique.values()].sort((a, b) => byPlace(a.location, b.location));
}

/** Compares places by text, line and column. */
export function byPlace(a: Location | undefined, b: Location | undefined): number {
  if (!a || !b) {
    return Number(!a) - Number(!b);
  }
  return a.text - b.text || a.line - b.line || a.column - b.column;
}
