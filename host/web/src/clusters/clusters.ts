/** Composites that become clusters: their pools, the phases in which they are made, and what they wait for. */

import type { Answer, Composite, Family, Resource } from '../render/answer.ts';
import type { Cluster } from '../render/cluster.ts';
import { keyOf } from '../render/object.ts';
import type { Condition } from '../render/readiness.ts';
import { type Selection, wholeOf } from '../selection.ts';

/** A composite that becomes a cluster, or what is installed on one. */
export interface Card {
  /** `kind namespace/name`. */
  key: string;
  family: Family;
  composite: Composite;
  cluster: Cluster;
  /** The composite that composes it. */
  whole?: Composite;
  ready: number;
  phases: Phase[];
  /** The conditions that are not `True`, without `Ready` when others say more. */
  waits: Condition[];
}

/** Resources that are composed together, once what was composed before them is ready. */
export interface Phase {
  number: number;
  /** What its resources wait for. */
  waitsFor: string[];
  resources: Resource[];
  ready: number;
  /** Its first object. */
  first: Selection;
}

export function hasClusters(answer: Answer | undefined): boolean {
  return answer?.families.some(({ composites }) => composites.some(({ cluster }) => cluster)) ?? false;
}

/** The clusters, those that compose others before them. With words, those that have all of them. */
export function cardsOf({ families }: Pick<Answer, 'families'>, search = ''): Card[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return families
    .flatMap((family) => {
      const parents = parentsIn(family);
      return family.composites.flatMap((composite) => cardOf(family, composite, parents.get(composite)));
    })
    .filter((card) => {
      const text = words.length === 0 ? '' : searched(card);
      return words.every((word) => text.includes(word));
    });
}

function cardOf(family: Family, composite: Composite, whole: Composite | undefined): Card[] {
  const { cluster, resources, conditions } = composite;
  if (!cluster) {
    return [];
  }
  const missing = conditions.filter(({ status }) => status !== 'True');
  const telling = missing.filter(({ type }) => type !== 'Ready');
  return [
    {
      key: keyOf(composite.object),
      family,
      composite,
      cluster,
      ...(whole && { whole }),
      ready: resources.filter(({ ready }) => ready === 'ready').length,
      phases: phasesOf(family, composite),
      waits: telling.length > 0 ? telling : missing,
    },
  ];
}

/** The phases in order. None where nothing is taken as ready. */
function phasesOf(family: Family, composite: Composite): Phase[] {
  const phases = new Map<number, Phase>();
  for (const resource of composite.resources) {
    if (resource.phase) {
      const { number, waitsFor } = resource.phase;
      const first = wholeOf({ family, composite, resource });
      const phase = phases.get(number) ?? { number, waitsFor: [], resources: [], ready: 0, first };
      phases.set(number, phase);
      phase.resources.push(resource);
      phase.ready += resource.ready === 'ready' ? 1 : 0;
      if (waitsFor !== '' && !phase.waitsFor.includes(waitsFor)) {
        phase.waitsFor.push(waitsFor);
      }
    }
  }
  return [...phases.values()].sort((one, other) => one.number - other.number);
}

/** The composite that composes each. */
function parentsIn({ composites }: Family): Map<Composite, Composite> {
  const parents = new Map<Composite, Composite>();
  for (const parent of composites) {
    for (const { child } of parent.resources) {
      const composite = child === undefined ? undefined : composites[child];
      composite && parents.set(composite, parent);
    }
  }
  return parents;
}

/** The text in which words are searched. */
function searched({ key, cluster: { provider, region, pools }, composite: { object } }: Card): string {
  const parts = pools.flatMap(({ name, gpus, machine }) => [name, gpus, machine]);
  return [key, provider, region, ...object.labels, ...parts].join('\n').toLowerCase();
}
