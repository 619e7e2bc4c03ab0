/** A fleet: places with what takes them, who has it, and what was decided about it. */

import type { Answer, Composite, Family, Resource } from '../render/answer.ts';
import { type Choice, type Decision, missing, type PassedOver } from '../render/decisions.ts';
import type { Place } from '../render/places.ts';

/** A composite that takes places, or that wanted to. */
export interface Owner {
  /** `kind namespace/name`. */
  key: string;
  family: Family;
  composite: Composite;
  /** The number of its colour, from 0. */
  colour: number;
  /** How many choices it lacks. */
  missing: number;
}

/** What takes a part of places, e.g. a replica. */
export interface Taker {
  /** `kind namespace/name`. */
  key: string;
  kind: string;
  name: string;
  /** Who has it. Absent when it is not composed here. */
  owner?: Owner;
  resource?: Resource;
  /** Why it is where it is. */
  choice?: Choice;
}

/** A reason of an owner's decision against candidates. */
export interface Reason {
  owner: Owner;
  decision: Decision;
  passedOver: PassedOver;
}

/** The number of colours. Owners beyond it share them. */
export const COLOURS = 8;

export class Fleet {
  readonly places: Place[];
  /** Those with something missing first, then in the order of the texts. */
  readonly owners: Owner[];
  readonly #takers = new Map<string, Taker>();
  #reasons: Map<string, Reason[]> | undefined;

  constructor({ families, places }: Answer) {
    this.places = places;
    const owners: Owner[] = [];
    for (const family of families) {
      for (const composite of family.composites) {
        if (composite.decisions.length > 0) {
          const { kind, name } = composite.object;
          const owner: Owner = {
            key: `${kind} ${name}`,
            family,
            composite,
            colour: owners.length % COLOURS,
            missing: missing(composite.decisions),
          };
          owners.push(owner);
          this.#addTakers(owner);
        }
      }
    }
    this.owners = [...owners.filter((it) => it.missing > 0), ...owners.filter((it) => it.missing === 0)];
  }

  owner(key: string): Owner | undefined {
    return this.owners.find((owner) => owner.key === key);
  }

  /** What takes a part of a place. What is not composed here has no owner. */
  taker(kind: string, name: string): Taker {
    const key = `${kind} ${name}`;
    return this.#takers.get(key) ?? { key, kind, name };
  }

  /** What has this `kind namespace/name`. */
  takerOf(key: string): Taker {
    const at = key.indexOf(' ');
    return this.taker(key.slice(0, at), key.slice(at + 1));
  }

  /** Whether an object with this `kind namespace/name` takes a part of a place. */
  isTaker(key: string): boolean {
    const takes = ({ taken, inside }: Place): boolean =>
      taken.some(({ kind, name }) => `${kind} ${name}` === key) || inside.some(takes);
    return key !== '' && (this.#takers.has(key) || this.places.some(takes));
  }

  /** The takers that an owner's decisions chose places for, in their order. */
  takersOf(owner: Owner): Taker[] {
    return [...this.#takers.values()].filter((taker) => taker.owner === owner);
  }

  /** Whether something takes a place that no text here composes. */
  get hasStrangers(): boolean {
    const isTaken = ({ taken, inside }: Place): boolean =>
      taken.some(({ kind, name }) => !this.#takers.has(`${kind} ${name}`)) || inside.some(isTaken);
    return this.places.some(isTaken);
  }

  /** The reasons of decisions against an outermost place. */
  against(name: string): Reason[] {
    this.#reasons ??= reasonsByCandidate(this.owners);
    return this.#reasons.get(name) ?? [];
  }

  #addTakers(owner: Owner): void {
    const { resources, decisions } = owner.composite;
    const byName = new Map(resources.map((resource) => [resource.name, resource]));
    for (const choice of decisions.flatMap(({ chosen }) => chosen)) {
      const resource = byName.get(choice.resource);
      if (resource) {
        const { kind, name } = resource.object;
        const key = `${kind} ${name}`;
        this.#takers.set(key, { key, kind, name, owner, resource, choice });
      }
    }
  }
}

/** How much of a place is taken, in the unit of its size. */
export function takenOf(place: Place): number {
  return place.taken.reduce((sum, { value }) => sum + value, 0);
}

function reasonsByCandidate(owners: Owner[]): Map<string, Reason[]> {
  const reasons = new Map<string, Reason[]>();
  for (const owner of owners) {
    for (const decision of owner.composite.decisions) {
      for (const passedOver of decision.passedOver) {
        for (const candidate of passedOver.candidates) {
          const known = reasons.get(candidate);
          const reason = { owner, decision, passedOver };
          known ? known.push(reason) : reasons.set(candidate, [reason]);
        }
      }
    }
  }
  return reasons;
}
