/** A preview with several modules. `host/src/engine/cascade.rs` does the same. */

import { type Contents, type KindRef, kindKey } from '../contract.ts';
import type { Composite } from '../render/answer.ts';
import type { Previewed } from './module.ts';

/** The answer of a module, or why there is none. */
export type Part = { module: string; why: string } | { module: string; answer: Previewed; given: string[] };

/** The kinds that concern a module, by `kindKey`. */
export interface ModuleKinds {
  composes: Set<string>;
  /** The kinds that it looks up, and the kinds that its kinds compose: another module may compose the same object. */
  sees: Set<string>;
  /** The kinds that other modules compose. */
  foreign: KindRef[];
}

/** The kinds that concern each module. The last module that has a kind composes it. */
export function moduleKinds(modules: Contents[]): ModuleKinds[] {
  const kinds = new Map(
    modules.flatMap((contents, index) => contents.kinds.map((entry) => [kindKey(entry.kind), { entry, index }])),
  );
  const sorted = [...kinds.values()].sort((a, b) => (kindKey(a.entry.kind) < kindKey(b.entry.kind) ? -1 : 1));
  return modules.map((_, module) => {
    const own = sorted.filter(({ index }) => index === module).map(({ entry }) => entry);
    return {
      composes: new Set(own.map(({ kind }) => kindKey(kind))),
      sees: new Set(own.flatMap(({ looksUp, composes }) => [...looksUp, ...composes].map(({ kind }) => kindKey(kind)))),
      foreign: sorted.filter(({ index }) => index !== module).map(({ entry }) => entry.kind),
    };
  });
}

/**
 * For each module, the objects of others that concern it: composed objects, then composites as they would be stored.
 */
export function passOn(modules: ModuleKinds[], parts: Part[]): string[][] {
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
  return modules.map(({ composes, sees }, index) =>
    offers
      .filter(({ module, kind }) => module !== index && (composes.has(kind) || sees.has(kind)))
      .map(({ json }) => json),
  );
}

/** The composites that modules made from objects of other modules, by that object. */
export function madeOfOthers(parts: Part[]): Map<string, Composite[]> {
  const all = parts.flatMap((part) =>
    'answer' in part
      ? part.answer.made.map(({ given, composites }) => [part.given[given] ?? '', composites] as const)
      : [],
  );
  return new Map(all);
}

/** Composites, with those that other modules made from their resources. */
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
        return rest; // each composite is added once, so a circle ends
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
