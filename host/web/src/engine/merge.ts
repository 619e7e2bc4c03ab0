/** Makes one answer of the answers of several modules. Each module got every text. */

import type { Diagnostic, KindRef, Source } from '../contract.ts';
import { kindsIn } from '../kinds.ts';
import type { Answer } from '../render/answer.ts';
import { byPlace, inOrder } from '../render/diagnostics.ts';
import { joined, madeOfOthers, type Part } from './cascade.ts';

/**
 * Takes each composite from the module that has its kind, with composites that other modules made from its resources,
 * and each diagnostic from the module that has the document's kind.
 */
export function merge(
  sources: Source[],
  parts: Part[],
  route: (kind: KindRef) => number,
): { answer: Answer; failures: { module: string; why: string }[] } {
  const failures = parts.flatMap((part) => ('why' in part ? [part] : []));
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only) {
    return { answer: 'answer' in only ? only.answer : { families: [], diagnostics: [], places: [] }, failures };
  }
  const kinds = sources.map((source) => (source.role === 'subject' ? kindsIn(source.text) : []));
  const written = parts.flatMap((part, index) =>
    'answer' in part ? part.answer.families.filter(({ kind }) => route(kind) === index) : [],
  );
  const made = madeOfOthers(parts);
  const diagnostics = parts.flatMap((part, index) =>
    'answer' in part
      ? part.answer.diagnostics.filter((diagnostic) => isFor(index, diagnostic, kinds, parts.length - 1, route))
      : [],
  );
  return {
    answer: {
      families: written
        .sort((a, b) => byPlace(a.origin, b.origin))
        .map((family) => ({ ...family, composites: joined(family.composites, made) })),
      diagnostics: inOrder(diagnostics),
      places: parts
        .flatMap((part) => ('answer' in part ? part.answer.places : []))
        .sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name)), // as each part has them
    },
    failures,
  };
}

/** Whether a diagnostic of a module counts: the module has the document's kind, or it is the last and no module has. */
function isFor(
  module: number,
  { location }: Diagnostic,
  kinds: KindRef[][],
  last: number,
  route: (kind: KindRef) => number,
): boolean {
  const kind = location && kinds[location.text]?.[location.document];
  if (!kind) {
    return true;
  }
  const serving = route(kind);
  return module === (serving < 0 ? last : serving);
}
