/**
 * The fleet as a table: a row for each cluster with its capacity, a column for each deployment, and in each cell how many of its
 * replicas are there, or why none is. What has no place stands above all clusters.
 */

import { fill, h, icon } from '../../dom.ts';
import type { Group } from '../../fleet/arrange.ts';
import type { Fleet, Owner, Reason } from '../../fleet/fleet.ts';
import { grouped } from '../../render/amount.ts';
import { marked } from '../../schema/describe.ts';
import { Rows } from '../rows.ts';
import { shareOf, total } from './bar.ts';
import type { Focus } from './focus.ts';

/** The height of a row in pixels, as the style sheet has it. */
const HEIGHT = 58;
/** The most columns of deployments: those in which something has no place are first. */
const MOST_OWNERS = 12;

/** What the table shows. */
export interface Shown {
  fleet: Fleet;
  groups: Group[];
  unit: string;
  select(focus: Focus): void;
}

/** What stands in a row: a cluster, with what is counted of it. */
interface Line {
  name: string;
  size: number;
  taken: number;
}

export class Matrix {
  readonly element = h('div', { id: 'fleet-table', role: 'table', 'aria-label': 'Clusters and deployments' });
  readonly #head = h('div', { class: 'matrix-head', role: 'rowgroup' });
  readonly #rows: Rows;

  constructor() {
    const inner = h('div', { class: 'matrix-rows', role: 'rowgroup' });
    this.element.append(this.#head, inner);
    this.#rows = new Rows(this.element, inner);
  }

  draw(shown: Shown): void {
    const owners = shown.fleet.owners.slice(0, MOST_OWNERS);
    const lines = linesOf(shown.groups);
    this.element.style.setProperty('--owners', String(Math.min(shown.fleet.owners.length, MOST_OWNERS + 1)));
    this.element.setAttribute('aria-rowcount', String(lines.length + 2));
    fill(this.#head, heading(shown, owners), unplaced(shown, owners));
    this.#rows.set(lines.map((line, index) => ({ height: HEIGHT, draw: () => row(shown, owners, line, index) })));
  }
}

/** A line for each cluster, also when it is in several groups. */
function linesOf(groups: Group[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { place, rows } of groups.flatMap(({ cards }) => cards)) {
    const line = lines.get(place.name) ?? { name: place.name, size: 0, taken: 0 };
    lines.set(place.name, line);
    for (const { size, taken } of rows) {
      line.size += size;
      line.taken += taken;
    }
  }
  return [...lines.values()];
}

function heading({ fleet, unit, select }: Shown, owners: Owner[]): HTMLElement {
  const cell = (...inside: (Node | string)[]) => h('div', { role: 'columnheader', class: 'matrix-cell' }, ...inside);
  return h(
    'div',
    { class: 'matrix-row', role: 'row', 'aria-rowindex': 1 },
    cell(fleet.places[0]?.what ?? 'place'),
    cell(unit),
    ...owners.map((owner) =>
      cell(
        h(
          'button',
          { type: 'button', class: 'matrix-owner', onclick: () => select({ what: 'owner', key: owner.key }) },
          h('i', { class: `swatch taker-${owner.colour}`, 'aria-hidden': 'true' }),
          owner.composite.object.name,
        ),
      ),
    ),
    ...others(fleet, (more) => cell(`and ${grouped(more)} more, in the map`)),
  );
}

/** The column for deployments that have none. */
function others({ owners }: Fleet, cell: (more: number) => HTMLElement): HTMLElement[] {
  const more = owners.length - MOST_OWNERS;
  return more > 0 ? [cell(more)] : [];
}

function blank(): HTMLElement {
  return h('div', { role: 'cell', class: 'matrix-cell' });
}

/** What has no place, before everything else. */
function unplaced({ fleet, select }: Shown, owners: Owner[]): HTMLElement {
  return h(
    'div',
    { class: 'matrix-row matrix-unplaced', role: 'row', 'aria-rowindex': 2 },
    h('div', { role: 'rowheader', class: 'matrix-cell' }, 'without a place'),
    blank(),
    ...owners.map((owner) =>
      h(
        'div',
        { role: 'cell', class: 'matrix-cell' },
        owner.missing > 0
          ? h(
              'button',
              { type: 'button', class: 'fleet-lack', onclick: () => select({ what: 'owner', key: owner.key }) },
              icon('warning'),
              grouped(owner.missing),
            )
          : h('span', { class: 'muted' }, 'none'),
      ),
    ),
    ...others(fleet, blank),
  );
}

function row(shown: Shown, owners: Owner[], line: Line, index: number): HTMLElement {
  const { fleet, unit, select } = shown;
  const { name, size, taken } = line;
  const against = fleet.against(name);
  return h(
    'div',
    { class: 'matrix-row', role: 'row', 'aria-rowindex': index + 3 },
    h(
      'div',
      { role: 'rowheader', class: 'matrix-cell' },
      h('button', { type: 'button', class: 'matrix-name', onclick: () => select({ what: 'place', name }) }, name),
    ),
    h(
      'div',
      { role: 'cell', class: 'matrix-cell' },
      h('span', { class: 'fleet-number' }, size === 0 ? 'nothing to count' : shareOf(size, taken, unit)),
      total(size, taken),
    ),
    ...owners.map((owner) => cell(shown, owner, name, against)),
    ...others(fleet, blank),
  );
}

/** What an owner has on a cluster, or why it has nothing there. */
function cell({ fleet, select }: Shown, owner: Owner, name: string, against: Reason[]): HTMLElement {
  const here = fleet.takersOf(owner).filter(({ choice }) => choice?.shares.some(({ place }) => place[0] === name));
  const reason = against.find((each) => each.owner === owner);
  const because = here[0]?.choice?.because;
  return h(
    'div',
    { role: 'cell', class: 'matrix-cell', title: because ?? reason?.passedOver.because },
    here.length > 0
      ? h(
          'button',
          {
            type: 'button',
            class: `matrix-here taker-${owner.colour}`,
            onclick: () => select({ what: 'taker', key: here[0]?.key ?? '' }),
          },
          h('b', {}, `${grouped(here.length)} here`),
          because !== undefined && h('span', { class: 'matrix-why' }, ...marked(because)),
        )
      : reason
        ? h(
            'button',
            {
              type: 'button',
              class: 'matrix-not',
              onclick: () =>
                select({
                  what: 'reason',
                  key: owner.key,
                  about: reason.decision.about,
                  because: reason.passedOver.because,
                }),
            },
            ...marked(reason.passedOver.because),
          )
        : h('span', { class: 'muted' }, 'not needed'),
  );
}
