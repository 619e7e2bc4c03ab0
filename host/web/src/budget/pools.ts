/** Pools of memory: who has it, how firmly, who waits for it and why, and who is asleep. */

import type { Amount } from '../render/amount.ts';
import type { Answer, Composite } from '../render/answer.ts';
import type { Decision } from '../render/decisions.ts';
import { poolIn } from '../render/memory.ts';
import { keyOf } from '../render/object.ts';
import type { Place } from '../render/places.ts';
import { type Selection, selectionOf } from '../selection.ts';

/** How a model is, in the order in which a pool has them. */
export const SITUATIONS = ['confirmed', 'claimed', 'given back', 'taken', 'waits', 'asleep'] as const;

export type Situation = (typeof SITUATIONS)[number];

export interface Pool {
  name: string;
  size: Amount;
  /** What is taken in all, in the unit of the size. */
  taken: number;
  /** Those that have memory first. */
  models: Model[];
}

export interface Model {
  /** `kind namespace/name`. */
  key: string;
  name: string;
  situation: Situation;
  /** What it has of the pool, in the unit of the pool; 0 when it has nothing. */
  value: number;
  /** Until when it has it, or why it has none. */
  why: string;
  /** Absent when no text here composes it. */
  selection?: Selection;
}

const BY_RESERVATION: Record<string, Situation> = {
  Confirmed: 'confirmed',
  Claimed: 'claimed',
  Withdrawn: 'given back',
};
/** The condition that says in a line how a model is. */
const TELLING = 'ModelReady';
const UNITS: Record<string, number> = { bytes: 1, KiB: 1 << 10, MiB: 1 << 20, GiB: 1 << 30 };

/** Whether a place has memory, and not e.g. nodes. */
export function isMemory({ size }: Place): boolean {
  return size !== undefined && size.unit in UNITS;
}

/** The answer without what is about memory. */
export function withoutMemory(answer: Answer): Answer {
  const places = answer.places.filter((place) => !isMemory(place));
  const others = (composite: Composite) => composite.decisions.filter((it) => poolIn(it) === undefined);
  const isOther = ({ composites }: Answer['families'][number]) => composites.every(({ memory }) => !memory);
  if (places.length === answer.places.length && answer.families.every(isOther)) {
    return answer;
  }
  const families = answer.families.map((family) =>
    isOther(family)
      ? family
      : { ...family, composites: family.composites.map((it) => (it.memory ? { ...it, decisions: others(it) } : it)) },
  );
  return { ...answer, places, families };
}

/** The pools of memory, and all pools together where they have a total. */
export function poolsOf({ families, places }: Pick<Answer, 'families' | 'places'>): Pool[] {
  const pools = new Map(places.filter(isMemory).map((place) => [place.name, poolOf(place)]));
  const rest = places.find((place) => isMemory(place) && place.labels.length === 0);
  for (const family of families) {
    for (const composite of family.composites) {
      const { memory } = composite;
      const decision = composite.decisions.find((it) => poolIn(it) !== undefined);
      if (memory && decision) {
        const key = keyOf(composite.object);
        const model = { ...told(composite, decision), key, selection: selectionOf({ family, composite }) };
        for (const pool of pools.values()) {
          const at = pool.models.findIndex((it) => it.key === key);
          const { value = 0 } = pool.models[at] ?? {};
          if (at >= 0) {
            pool.models[at] = { ...model, value };
          }
        }
        const own = pools.get(memory.pool) ?? (rest && pools.get(rest.name));
        if (own && !own.models.some((it) => it.key === key)) {
          own.models.push({ ...model, value: 0 });
        }
      }
    }
  }
  for (const { models } of pools.values()) {
    models.sort((one, other) => SITUATIONS.indexOf(one.situation) - SITUATIONS.indexOf(other.situation));
  }
  return [...pools.values()];
}

/** An amount of memory as Kubernetes writes it: `60Gi`. */
export function quantity({ value, unit }: Amount): string {
  const bytes = Math.abs(value) * (UNITS[unit] ?? 1);
  const [suffix, factor] = (
    [
      ['Gi', 1 << 30],
      ['Mi', 1 << 20],
      ['Ki', 1 << 10],
      ['', 1],
    ] as const
  ).find(([, factor]) => bytes % factor === 0) ?? ['', 1];
  return `${value < 0 ? '-' : ''}${bytes / factor}${suffix}`;
}

/** What differs between a pool and the same one in another result, in words. */
export function difference(pool: Pool, before: Pool | undefined): string {
  if (!before) {
    return 'a new pool';
  }
  const bytes = ({ size: { unit } }: Pool, value: number) => value * (UNITS[unit] ?? 1);
  const signed = (value: number) => `${value > 0 ? '+' : ''}${quantity({ value, unit: 'bytes' })}`;
  const taken = bytes(pool, pool.taken) - bytes(before, before.taken);
  const size = bytes(pool, pool.size.value) - bytes(before, before.size.value);
  const parts = [taken !== 0 && `${signed(taken)} taken`, size !== 0 && `${signed(size)} in all`].filter(Boolean);
  return parts.join(', ') || 'no difference';
}

function poolOf({ name, size, taken }: Place): Pool {
  const models = taken.map(({ kind, name, value }): Model => {
    const key = keyOf({ kind, name });
    return { key, name, situation: 'taken', value, why: 'no text here composes it' };
  });
  const sum = taken.reduce((sum, { value }) => sum + value, 0);
  return { name, size: size ?? { value: 0, unit: 'bytes' }, taken: sum, models };
}

function told(composite: Composite, decision: Decision): Pick<Model, 'name' | 'situation' | 'why'> {
  const { object, memory, conditions } = composite;
  const { name } = object;
  const [choice] = decision.chosen;
  if (choice) {
    return { name, situation: BY_RESERVATION[memory?.reservation ?? ''] ?? 'claimed', why: choice.because };
  }
  const near = decision.passedOver.map(({ nearest }) => nearest).find((it) => it !== undefined);
  const who = ({ length, 0: first }: string[]) => (length === 1 ? first : length);
  const others = decision.passedOver.map(({ candidates, because }) => `${who(candidates)} ${because}`);
  const said = conditions.find(({ type, message }) => type === TELLING && message !== '')?.message ?? '';
  const lacks = near && `needs ${quantity(near.needed)}, and ${quantity(near.found)} is free: ${others.join('; ')}`;
  return { name, situation: decision.wanted > 0 ? 'waits' : 'asleep', why: lacks ?? said };
}
