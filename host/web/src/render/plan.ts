/** A plan in the form that the view draws. */

import type { PlanResponse } from '../contract.ts';
import { type Amount, amountOf } from './amount.ts';
import { type NearMiss, nearMissOf, type PassedOver, passedOverOf, type Share, shareOf } from './decisions.ts';

export interface Plan {
  subjects: Planned[];
  stock: Stock[];
  /** What is wrong with the changes. */
  problems: string[];
}

/** The places of one of what an object wants. */
export type Seat = Share[];

export interface Planned {
  /** `kind namespace/name`. */
  key: string;
  name: string;
  wanted: number;
  /** How many have a place before and after the changes. */
  before: number;
  after: number;
  moves: { before: Seat; after: Seat }[];
  gone: Seat[];
  new: Seat[];
  /** How many that were there and are still wanted have no place. */
  lost: number;
  passedOver: PassedOver[];
  more: number;
  /** Whether there may be more still. */
  atLeast: boolean;
  /** What runs out first, its class, and how many more fit with one more unit of it. */
  scarce?: NearMiss;
  class: string;
  withOneMore: number;
}

export interface Stock {
  class: string;
  before: Amount;
  freeBefore: Amount;
  after: Amount;
  freeAfter: Amount;
}

export function planOf({ subjects, stock, diagnostics }: PlanResponse): Plan {
  return {
    subjects: subjects.map(({ kind: { kind }, namespace, name: own, headroom, ...planned }) => {
      const name = namespace === '' ? own : `${namespace}/${own}`;
      const { more, atLeast, scarce, withOneMore } = headroom;
      return {
        ...planned,
        key: `${kind} ${name}`,
        name,
        moves: planned.moves.map(({ before, after }) => ({ before: before.map(shareOf), after: after.map(shareOf) })),
        gone: planned.gone.map((seat) => seat.map(shareOf)),
        new: planned.new.map((seat) => seat.map(shareOf)),
        passedOver: planned.passedOver.map(passedOverOf),
        more,
        atLeast,
        ...(scarce && { scarce: nearMissOf(scarce) }),
        class: headroom.class,
        withOneMore,
      };
    }),
    stock: stock.map((it) => ({
      class: it.class,
      before: amountOf(it.before),
      freeBefore: amountOf(it.freeBefore),
      after: amountOf(it.after),
      freeAfter: amountOf(it.freeAfter),
    })),
    // Those with a place are problems of the texts, which the preview has.
    problems: diagnostics.flatMap(({ location, gravity, problem }) =>
      location === undefined && gravity === 'error' ? [problem.message] : [],
    ),
  };
}
