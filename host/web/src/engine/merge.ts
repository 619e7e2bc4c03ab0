/** One answer from the answers of several modules, each of which has seen every text. */

import type { Diagnostic, KindRef, Source } from '../contract.ts';
import type { Answer } from '../render/answer.ts';
import { byPlace, inOrder } from '../render/diagnostics.ts';
import { joined, madeOfOthers, type Part } from './cascade.ts';

/**
 * Takes each composite from the module that has its kind, with what other modules made of its resources, and each
 * diagnostic from the module it is for.
 */
export function merge(
  sources: Source[],
  parts: Part[],
  route: (kind: KindRef) => number,
): { answer: Answer; failures: { module: string; why: string }[] } {
  const failures = parts.flatMap((part) => ('why' in part ? [part] : []));
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only) {
    return { answer: 'answer' in only ? only.answer : { families: [], diagnostics: [] }, failures };
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
    },
    failures,
  };
}

/** Whether a diagnostic of a module counts: it serves the document's kind, or is the last and nobody does. */
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

/** The kinds of a text's documents. Parsing is the modules' business: this only reads what stands at the margin. */
export function kindsIn(text: string): KindRef[] {
  const documents = text.split(/^---(?:[^\S\n].*)?$/m);
  if (/^(?:\s*(?:#.*)?\n)*$/.test(`${documents[0]}\n`)) {
    documents.shift(); // nothing but comments before the first separator
  }
  const field = (document: string, name: string) => {
    const value = `["']?${name}["']?:\\s*["']?([^\\s"',#}]+)`;
    // At the margin first; JSON has its keys further in.
    return (new RegExp(`^${value}`, 'm').exec(document) ?? new RegExp(`[{,\\s]${value}`).exec(document))?.[1] ?? '';
  };
  return documents.map((document) => ({ apiVersion: field(document, 'apiVersion'), kind: field(document, 'kind') }));
}
