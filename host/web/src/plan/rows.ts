/** What a plan moves, the worst first, and which objects of the answer it is about. */

import type { Answer } from '../render/answer.ts';
import { keyOf } from '../render/object.ts';
import type { Plan, Planned, Seat } from '../render/plan.ts';
import { type Selection, selectionOf, wholeOf } from '../selection.ts';

/** What becomes of replicas, the worst first. */
export const FATES = ['without a place', 'gone', 'moves', 'new'] as const;

export interface Fate {
  what: (typeof FATES)[number];
  planned: Planned;
  before?: Seat;
  after?: Seat;
  /** How many it is about. */
  number: number;
}

/** Whether something wants places, so that there is something to plan. */
export function hasPlan(answer: Answer | undefined): boolean {
  const wants = answer?.families.some(({ composites }) =>
    composites.some(({ decisions, memory }) => !memory && decisions.length > 0),
  );
  return wants ?? false;
}

export function fatesIn({ subjects }: Plan): Fate[] {
  const fates = subjects.flatMap((planned): Fate[] => {
    const { lost, gone, moves } = planned;
    return [
      ...(lost > 0 ? [{ what: 'without a place' as const, planned, number: lost }] : []),
      ...gone.map((before) => ({ what: 'gone' as const, planned, before, number: 1 })),
      ...moves.map((move) => ({ what: 'moves' as const, planned, ...move, number: 1 })),
      ...planned.new.map((after) => ({ what: 'new' as const, planned, after, number: 1 })),
    ];
  });
  return fates.sort((one, other) => FATES.indexOf(one.what) - FATES.indexOf(other.what) || other.number - one.number);
}

/** The selection of the object that wants places. Undefined when the answer does not have it. */
export function selectionIn(answer: Answer | undefined, key: string): Selection | undefined {
  for (const family of answer?.families ?? []) {
    const composite = family.composites.find(({ object }) => keyOf(object) === key);
    if (composite) {
      return selectionOf({ family, composite });
    }
  }
  return undefined;
}

/** The replica that is in these places. */
export function replicaAt(
  answer: Answer | undefined,
  key: string,
  seat: Seat,
): { name: string; selection: Selection } | undefined {
  const where = (shares: Seat) => shares.map(({ place, part }) => `${part} ${place.join('/')}`).join(', ');
  for (const family of answer?.families ?? []) {
    const composite = family.composites.find(({ object }) => keyOf(object) === key);
    const chosen = composite?.decisions.flatMap(({ chosen }) => chosen).find((it) => where(it.shares) === where(seat));
    const resource = chosen && composite?.resources.find(({ name }) => name === chosen.resource);
    if (composite && resource) {
      return { name: resource.name, selection: wholeOf({ family, composite, resource }) };
    }
  }
  return undefined;
}
