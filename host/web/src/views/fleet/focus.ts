/** What the fleet shows more of. It follows from the selection of the page, and from the reason that its filter has. */

import type { Fleet, Owner, Reason, Taker } from '../../fleet/fleet.ts';
import { NOTHING, type Selection } from '../../selection.ts';

export type Focus =
  | { what: 'nothing' }
  | { what: 'place'; name: string }
  | { what: 'owner'; key: string }
  | { what: 'taker'; key: string }
  | { what: 'reason'; key: string; about: string; because: string };

/** What a focus is in the present answer. */
export type Chosen =
  | { what: 'nothing' }
  | { what: 'place'; name: string }
  | { what: 'owner'; owner: Owner }
  | { what: 'taker'; taker: Taker }
  | { what: 'reason'; reason: Reason };

/** The focus on what is selected. `reason` is what the filter has: what a decision is about, and why. */
export function focusOf(fleet: Fleet, { composite, object, cluster }: Selection, reason: string): Focus {
  const owner = fleet.owner(composite);
  if (owner && object === '') {
    const [about = '', because = ''] = reason.split('\n');
    return reason === '' ? { what: 'owner', key: owner.key } : { what: 'reason', key: owner.key, about, because };
  }
  const taker = owner
    ? fleet.takersOf(owner).find(({ resource }) => resource?.name === object)?.key
    : fleet.isTaker(composite)
      ? composite
      : undefined;
  return taker === undefined
    ? cluster === ''
      ? { what: 'nothing' }
      : { what: 'place', name: cluster }
    : { what: 'taker', key: taker };
}

/** What is selected with a focus, and the reason for the filter. */
export function selected(fleet: Fleet, focus: Focus): { selection: Selection; reason: string } {
  switch (focus.what) {
    case 'nothing':
      return { selection: NOTHING, reason: '' };
    case 'place':
      return { selection: { ...NOTHING, cluster: focus.name }, reason: '' };
    case 'owner':
      return { selection: { ...NOTHING, composite: focus.key }, reason: '' };
    case 'reason':
      return { selection: { ...NOTHING, composite: focus.key }, reason: `${focus.about}\n${focus.because}` };
    case 'taker': {
      const { owner, resource } = fleet.takerOf(focus.key);
      const selection = owner && resource ? { composite: owner.key, object: resource.name } : { composite: focus.key };
      return { selection: { ...NOTHING, ...selection }, reason: '' };
    }
  }
}

/** Finds what the focus is on. What is not there any more is nothing. */
export function chosenIn(fleet: Fleet, focus: Focus): Chosen {
  switch (focus.what) {
    case 'nothing':
      return focus;
    case 'place':
      return fleet.places.some(({ name }) => name === focus.name) ? focus : { what: 'nothing' };
    case 'owner': {
      const owner = fleet.owner(focus.key);
      return owner ? { what: 'owner', owner } : { what: 'nothing' };
    }
    case 'taker':
      return { what: 'taker', taker: fleet.takerOf(focus.key) };
    case 'reason': {
      const owner = fleet.owner(focus.key);
      const decision = owner?.composite.decisions.find(({ about }) => about === focus.about);
      const passedOver = decision?.passedOver.find(({ because }) => because === focus.because);
      return owner && decision && passedOver
        ? { what: 'reason', reason: { owner, decision, passedOver } }
        : owner
          ? { what: 'owner', owner }
          : { what: 'nothing' };
    }
  }
}
