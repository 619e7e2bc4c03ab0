/** What modules compose for one another, as `host/src/engine/cascade.rs` has it. */

import { type Contents, type KindRef, kindKey } from '../contract.ts';
import type { Composite, PartialAnswer } from '../render/answer.ts';

/** A module's answer, or why it has none. */
export type Part = { module: string; why: string } | { module: string; answer: PartialAnswer; given: string[] };

/** What a module has to do with kinds, each as one word. */
export interface Concerns {
  composes: Set<string>;
  looksUp: Set<string>;
  /** Those that other modules compose. */
  foreign: KindRef[];
}

/** What each of several modules has to do with kinds. A kind that several have belongs to the last of them. */
export function concernsOf(modules: Contents[]): Concerns[] {
  const kinds = new Map(
    modules.flatMap((contents, index) => contents.kinds.map((entry) => [kindKey(entry.kind), { entry, index }])),
  );
  const sorted = [...kinds.values()].sort((a, b) => (kindKey(a.entry.kind) < kindKey(b.entry.kind) ? -1 : 1));
  return modules.map((_, module) => {
    const own = sorted.filter(({ index }) => index === module).map(({ entry }) => entry);
    return {
      composes: new Set(own.map(({ kind }) => kindKey(kind))),
      looksUp: new Set(own.flatMap(({ looksUp }) => looksUp.map(({ kind }) => kindKey(kind)))),
      foreign: sorted.filter(({ index }) => index !== module).map(({ entry }) => entry.kind),
    };
  });
}

/** What the others composed, as far as it concerns each module: first that, then composites as they would be stored. */
export function passOn(modules: Concerns[], parts: Part[]): string[][] {
  const all = parts.flatMap((part, module) => {
    const own = 'answer' in part ? [...part.answer.families, ...part.answer.made] : [];
    return own.flatMap(({ composites }) => composites.map((it) => ({ module, it })));
  });
  const leaves = all.flatMap(({ module, it }) =>
    it.resources.filter(({ child }) => child === undefined).map(({ object }) => ({ module, object })),
  );
  const stored = all.map(({ module, it }) => ({ module, object: it.object }));
  const offers = [...leaves, ...stored].flatMap(({ module, object: { json } }) =>
    json === undefined ? [] : [{ module, json, kind: kindKey(JSON.parse(json)) }],
  );
  return modules.map(({ composes, looksUp }, index) =>
    offers
      .filter(({ module, kind }) => module !== index && (composes.has(kind) || looksUp.has(kind)))
      .map(({ json }) => json),
  );
}

/** The composites that modules made of what others composed, by what was composed. */
export function madeOfOthers(parts: Part[]): Map<string, Composite[]> {
  const all = parts.flatMap((part) =>
    'answer' in part
      ? part.answer.made.map(({ given, composites }) => [part.given[given] ?? '', composites] as const)
      : [],
  );
  return new Map(all);
}

/** Composites with what other modules made of their resources. */
export function joined(family: Composite[], made: Map<string, Composite[]>): Composite[] {
  const all: Composite[] = [];
  const used = new Set([family]);
  const place = (from: Composite[], index: number): number | undefined => {
    const composite = from[index];
    if (!composite) {
      return undefined;
    }
    const whole = { ...composite };
    const at = all.push(whole) - 1;
    whole.resources = composite.resources.map((resource) => {
      const { child: own, ...rest } = resource;
      const other = own === undefined && resource.object.json ? made.get(resource.object.json) : undefined;
      if (other && used.has(other)) {
        return rest; // each stands once, so that there is no circle
      }
      other && used.add(other);
      const child = own === undefined ? other && place(other, 0) : place(from, own);
      return child === undefined ? rest : { ...rest, child };
    });
    return at;
  };
  place(family, 0);
  return all;
}
