/** Diagnostics: joined, in order, and in words. */

import type { Diagnostic, Location } from '../contract.ts';

/** What is composed of a document: where that is, and what compositions say. */
interface Composed {
  /** Absent when it is a composite of another module. */
  origin?: Location;
  composites: { events: { severity: string; message: string }[] }[];
}

/**
 * The diagnostics of a preview and of a check, and the warnings of compositions. A preview finds what prevents composing, a
 * check also what admission would refuse; many are in both. A warning of a composition is where the check has the same one,
 * or else at its composite.
 */
export function together(previewed: Diagnostic[], checked: Diagnostic[], composed: Composed[]): Diagnostic[] {
  const all = [...previewed, ...checked];
  const known = new Set(all.map(({ problem }) => problem.message));
  for (const { origin, composites } of composed) {
    for (const { severity, message } of composites.flatMap(({ events }) => events)) {
      if (severity === 'warning' && !known.has(message)) {
        const problem = { path: '', code: 'invalid' as const, message };
        all.push({ gravity: 'warning', problem, ...(origin && { location: origin }) });
      }
    }
  }
  return inOrder(all);
}

/** What a diagnostic says, with the field that it is about. */
export function said({ problem: { path, message } }: Diagnostic): string {
  return path === '' || message.includes(path) ? message : `${path}: ${message}`;
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
