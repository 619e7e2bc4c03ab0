/** What is chosen in the fleet. It is kept by names, so that it outlives an answer. */

import type { Fleet, Owner, Reason, Taker } from '../../fleet/fleet.ts';

export type Selection =
  | { what: 'nothing' }
  | { what: 'place'; name: string }
  | { what: 'owner'; key: string }
  | { what: 'taker'; key: string }
  | { what: 'reason'; key: string; about: string; because: string };

/** What a selection is in the present answer. */
export type Chosen =
  | { what: 'nothing' }
  | { what: 'place'; name: string }
  | { what: 'owner'; owner: Owner }
  | { what: 'taker'; taker: Taker }
  | { what: 'reason'; reason: Reason };

/** Finds what was selected. What is not there any more is nothing. */
export function chosenIn(fleet: Fleet, selection: Selection): Chosen {
  switch (selection.what) {
    case 'nothing':
      return selection;
    case 'place':
      return fleet.places.some(({ name }) => name === selection.name) ? selection : { what: 'nothing' };
    case 'owner': {
      const owner = fleet.owner(selection.key);
      return owner ? { what: 'owner', owner } : { what: 'nothing' };
    }
    case 'taker': {
      const at = selection.key.indexOf(' ');
      return { what: 'taker', taker: fleet.taker(selection.key.slice(0, at), selection.key.slice(at + 1)) };
    }
    case 'reason': {
      const owner = fleet.owner(selection.key);
      const decision = owner?.composite.decisions.find(({ about }) => about === selection.about);
      const passedOver = decision?.passedOver.find(({ because }) => because === selection.because);
      return owner && decision && passedOver
        ? { what: 'reason', reason: { owner, decision, passedOver } }
        : { what: 'nothing' };
    }
  }
}

/** Who has what is chosen. */
export function ownerOf(chosen: Chosen): Owner | undefined {
  switch (chosen.what) {
    case 'owner':
      return chosen.owner;
    case 'taker':
      return chosen.taker.owner;
    case 'reason':
      return chosen.reason.owner;
    default:
      return undefined;
  }
}
