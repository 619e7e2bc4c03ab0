/** The map of a fleet: a card for each place in roomy fleets, a tile in large ones, in groups. */

import { h } from '../../dom.ts';
import type { Card, Group, Row } from '../../fleet/arrange.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { Rows, type VirtualRow } from '../rows.ts';
import { bar, type Lit, shareOf, total } from './bar.ts';

/** The sizes of what is drawn, in pixels, as the style sheet has them. */
interface Sizes {
  least: number;
  /** The height without rows. */
  head: number;
  row: number;
}
const CARD: Sizes = { least: 236, head: 62, row: 40 };
const TILE: Sizes = { least: 112, head: 34, row: 11 };
const HEADING = 46;
const GAP = 8;
/** With more cards than this, they are tiles. */
const MOST_CARDS = 36;
/** The most rows of a card. */
const MOST_ROWS = 12;
/** The most rows in the name of a tile for screen readers. */
const MOST_SPOKEN = 6;

export interface MapHooks {
  /** A place was chosen by its card. */
  place(name: string): void;
  /** What takes a part was chosen, by its key. */
  taker(key: string): void;
}

/** What the map shows. */
export interface Drawn {
  fleet: Fleet;
  groups: Group[];
  unit: string;
  lit: Lit;
  /** The name of the chosen place. */
  chosen: string | undefined;
}

export class FleetMap {
  readonly #box: HTMLElement;
  readonly #rows: Rows;
  #drawn: Drawn | undefined;
  #cards: Card[] = [];
  /** The row of each card. */
  #lines: number[] = [];
  #columns = 1;
  /** The card that the keyboard is at. */
  #current = '';

  constructor(box: HTMLElement, inner: HTMLElement, hooks: MapHooks) {
    this.#box = box;
    this.#rows = new Rows(box, inner);
    box.addEventListener('click', ({ target }) => {
      const element = target as HTMLElement;
      const card = element.closest<HTMLElement>('[data-card]');
      const taker = element.closest<HTMLElement>('[data-taker]')?.dataset['taker'];
      if (card) {
        this.#go(this.#cards.findIndex(({ key }) => key === card.dataset['card']));
        taker ? hooks.taker(taker) : hooks.place(card.dataset['place'] ?? '');
      }
    });
    box.addEventListener('keydown', (event) => this.#keyboard(event));
    let width = 0;
    new ResizeObserver(() => {
      if (box.clientWidth !== width && this.#drawn) {
        width = box.clientWidth;
        this.draw(this.#drawn);
      }
    }).observe(box);
  }

  draw(drawn: Drawn): void {
    const focused = this.#box.contains(document.activeElement);
    this.#drawn = drawn;
    this.#cards = drawn.groups.flatMap(({ cards }) => cards);
    const small = this.#cards.length > MOST_CARDS;
    const { least, head, row } = small ? TILE : CARD;
    this.#box.classList.toggle('tiles', small);
    this.#columns = Math.max(1, Math.floor((this.#box.clientWidth - GAP) / (least + GAP)));
    this.#lines = [];
    if (!this.#cards.some(({ key }) => key === this.#current)) {
      this.#current = this.#cards[0]?.key ?? '';
    }
    const rows: VirtualRow[] = [];
    for (const group of drawn.groups) {
      if (drawn.groups.length > 1 || group.title !== '') {
        rows.push({ height: HEADING, draw: () => heading(group, drawn.unit) });
      }
      for (let at = 0; at < group.cards.length; at += this.#columns) {
        const cards = group.cards.slice(at, at + this.#columns);
        const most = Math.max(...cards.map((card) => Math.min(card.rows.length, MOST_ROWS)));
        for (const _ of cards) {
          this.#lines.push(rows.length);
        }
        rows.push({ height: head + most * row + GAP, draw: () => this.#line(cards, drawn, small) });
      }
    }
    this.#rows.set(rows);
    if (focused) {
      this.#focus();
    }
  }

  /** Scrolls to the first card of a place. */
  reveal(place: string): void {
    const index = this.#cards.findIndex((card) => card.place.name === place);
    const line = this.#lines[index];
    if (line !== undefined) {
      this.#rows.reveal(line);
    }
  }

  #line(cards: Card[], drawn: Drawn, small: boolean): HTMLElement {
    const line = h('div', { class: 'fleet-line' }, ...cards.map((card) => this.#card(card, drawn, small)));
    line.style.gridTemplateColumns = `repeat(${this.#columns}, minmax(0, 1fr))`;
    return line;
  }

  #card({ key, place, rows }: Card, drawn: Drawn, small: boolean): HTMLElement {
    const { fleet, unit, lit, chosen } = drawn;
    const pale = lit && !rows.some((row) => row.place.taken.some(({ kind, name }) => lit.has(`${kind} ${name}`)));
    const shown = rows.slice(0, MOST_ROWS);
    return h(
      'button',
      {
        type: 'button',
        class: `fleet-card${pale ? ' faded' : ''}`,
        'data-card': key,
        'data-place': place.name,
        'aria-pressed': String(chosen === place.name),
        tabindex: key === this.#current ? 0 : -1,
      },
      h('span', { class: 'fleet-name' }, place.name),
      small && h('span', { class: 'hidden' }, spoken(rows, unit)),
      !small &&
        h(
          'span',
          { class: 'fleet-labels' },
          place.labels.length === 0 ? place.what : place.labels.map(([, value]) => value).join(' · '),
        ),
      ...shown.map((row) => (small ? bar(fleet, row, lit) : rowOf(fleet, row, unit, lit))),
      shown.length < rows.length && h('span', { class: 'fleet-labels' }, `and ${rows.length - shown.length} more`),
    );
  }

  #go(index: number): void {
    const card = this.#cards[index];
    const line = this.#lines[index];
    if (card && line !== undefined) {
      this.#current = card.key;
      this.#rows.reveal(line);
      this.#focus();
    }
  }

  #focus(): void {
    for (const card of this.#box.querySelectorAll<HTMLElement>('[data-card]')) {
      const current = card.dataset['card'] === this.#current;
      card.tabIndex = current ? 0 : -1;
      current && card.focus({ preventScroll: true });
    }
  }

  #keyboard(event: KeyboardEvent): void {
    const at = this.#cards.findIndex(({ key }) => key === this.#current);
    const last = this.#cards.length - 1;
    const page = this.#rows.page * this.#columns;
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - this.#columns,
      ArrowDown: at + this.#columns,
      PageUp: at - page,
      PageDown: at + page,
      Home: 0,
      End: last,
    }[event.key];
    if (to !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.#go(Math.min(last, Math.max(0, to)));
    }
  }
}

function heading({ title, cards, rows, size, taken }: Group, unit: string): HTMLElement {
  const [first] = cards;
  return h(
    'div',
    { class: 'fleet-group' },
    h('h2', {}, title || `other ${first?.place.what ?? 'place'}s`),
    h('span', { class: 'fleet-number' }, rows === 0 ? 'nothing to count' : shareOf(size, taken, unit)),
    total(size, taken),
  );
}

function rowOf(fleet: Fleet, row: Row, unit: string, lit: Lit): HTMLElement {
  const { name, place, size, taken } = row;
  const kind = place.labels.find(([key]) => key === 'class')?.[1];
  return h(
    'span',
    { class: 'fleet-row' },
    h(
      'span',
      { class: 'fleet-row-head' },
      h(
        'span',
        { class: 'fleet-row-name' },
        name || place.what,
        kind !== undefined && kind !== name && h('span', { class: 'fleet-class' }, kind),
      ),
      h(
        'span',
        { class: `fleet-number${taken > size ? ' over' : ''}` },
        shareOf(size, taken, unit),
        h('span', { class: 'hidden' }, ' taken, '),
      ),
    ),
    bar(fleet, row, lit),
  );
}

/** What the bars of a tile show, for screen readers. */
function spoken(rows: Row[], unit: string): string {
  const all = rows.slice(0, MOST_SPOKEN).map((row) => `${row.name} ${shareOf(row.size, row.taken, unit)} taken`);
  const more = rows.length > MOST_SPOKEN ? [`and ${rows.length - MOST_SPOKEN} more`] : [];
  return `: ${[...all, ...more].join(', ') || 'nothing to count'}`;
}
