/** A place as a bar: what takes it, and what is free. */

import { h } from '../../dom.ts';
import type { Row } from '../../fleet/arrange.ts';
import type { Fleet, Taker } from '../../fleet/fleet.ts';
import { counted, grouped, unitOf } from '../../render/amount.ts';

/** The most parts of a place that are drawn one by one. */
const MOST_CELLS = 40;

/** What stands out. The others are pale. Absent when nothing does. */
export type Lit = ReadonlySet<string> | undefined;

/** The bar of a row. It is a picture: the numbers are beside it, and names in lists. */
export function bar(fleet: Fleet, { place, size, taken }: Row, lit: Lit): HTMLElement {
  const unit = place.size?.unit ?? '';
  const whole = h('span', { class: `fleet-bar${taken > size ? ' over' : ''}`, 'aria-hidden': 'true' });
  for (const { kind, name, value } of place.taken) {
    if (value > 0) {
      const taker = fleet.taker(kind, name);
      whole.append(
        part(
          value,
          `${colourOf(taker)}${lit && !lit.has(taker.key) ? ' pale' : ''}`,
          `${name}: ${counted({ value, unit })}`,
          taker.key,
        ),
      );
    }
  }
  if (size > taken) {
    whole.append(part(size - taken, 'free', `${counted({ value: size - taken, unit })} free`));
  }
  const cells = Math.max(size, taken);
  if (cells > 1 && cells <= MOST_CELLS && Number.isInteger(cells)) {
    whole.classList.add('cells');
    whole.style.setProperty('--cells', String(cells));
  }
  return whole;
}

/** A bar of a sum. */
export function total(size: number, taken: number): HTMLElement {
  return h(
    'span',
    { class: `fleet-bar sum${taken > size ? ' over' : ''}`, 'aria-hidden': 'true' },
    taken > 0 && part(taken, 'sum-taken', ''),
    size > taken && part(size - taken, 'free', ''),
  );
}

/** `3 of 8 nodes`. */
export function shareOf(size: number, taken: number, unit: string): string {
  return `${grouped(taken)} of ${grouped(size)} ${unitOf(size, unit)}`;
}

/** The class of the colour of a taker. */
export function colourOf({ owner }: Taker): string {
  return owner ? `taker-${owner.colour}` : 'taker-other';
}

function part(value: number, classes: string, title: string, taker?: string): HTMLElement {
  const element = h('i', { class: classes, title: title || undefined, 'data-taker': taker });
  element.style.flexGrow = String(value);
  return element;
}
