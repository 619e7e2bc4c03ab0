/** Joins diagnostics. */

import type { Diagnostic, Findings, Location, Response } from '../contract.ts';

/**
 * The diagnostics of a preview and of a check. A preview finds what prevents composing, a check also what admission
 * would refuse; many are in both. Warnings of a composition itself are among its results instead.
 */
export function together({ composites, diagnostics }: Response, findings: Findings): Diagnostic[] {
  const said = new Set(composites.flatMap(({ results }) => results.map(({ outcome }) => outcome.message)));
  const isNews = ({ gravity, problem }: Diagnostic) => gravity === 'error' || !said.has(problem.message);
  return inOrder([...diagnostics, ...findings.diagnostics.filter(isNews)]);
}

/** Each diagnostic once, in the order of the texts. Diagnostics without a place are last. */
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
