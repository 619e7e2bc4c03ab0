/** What was chosen among candidates, and why. */

import type { Decision as Made, NearMiss as MadeNearMiss, Share as MadeShare } from '../contract.ts';
import { type Amount, amountOf } from './amount.ts';

/** A choice among candidates, e.g. of places for replicas. */
export interface Decision {
  about: string;
  /** How many choices were wanted. More than `chosen` has when candidates were missing. */
  wanted: number;
  candidates: number;
  chosen: Choice[];
  /** What was against the other candidates, with the reason of most candidates first. */
  passedOver: PassedOver[];
}

export interface Choice {
  /** The composition resource name. */
  resource: string;
  shares: Share[];
  because: string;
}

/** A part of a choice, and where it is. */
export interface Share {
  place: string[];
  part: string;
  takes?: Amount;
}

export interface PassedOver {
  reason: string;
  /** The reason as it follows a number of candidates. */
  because: string;
  candidates: string[];
  nearest?: NearMiss;
  /** The field of the composite that the reason is about. */
  cause?: string;
}

/** The candidate that lacks least. */
export interface NearMiss {
  place: string[];
  needed: Amount;
  found: Amount;
  /** What decides there, e.g. the term of a selector that does not hold. Empty when nothing more is known. */
  because: string;
}

export function decisionOf({ about, wanted, candidates, chosen, passedOver }: Made): Decision {
  return {
    about,
    wanted,
    candidates,
    chosen: chosen.map(({ resourceName: resource, shares, because }) => ({
      resource,
      because,
      shares: shares.map(shareOf),
    })),
    passedOver: passedOver.map(passedOverOf),
  };
}

export function shareOf({ place, part, takes }: MadeShare): Share {
  return { place, part, ...(takes && { takes: amountOf(takes) }) };
}

export function passedOverOf({ reason, because, candidates, nearest, cause }: Made['passedOver'][number]): PassedOver {
  return {
    reason,
    because,
    candidates,
    ...(nearest && { nearest: nearMissOf(nearest) }),
    ...(cause !== undefined && { cause }),
  };
}

export function nearMissOf({ place, needed, found, because }: MadeNearMiss): NearMiss {
  return { place, needed: amountOf(needed), found: amountOf(found), because };
}

/** How many choices found no candidate. */
export function missing(decisions: Decision[]): number {
  return decisions.reduce((sum, { wanted, chosen }) => sum + Math.max(0, wanted - chosen.length), 0);
}
