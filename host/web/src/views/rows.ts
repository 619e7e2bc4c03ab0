/** Rows of known heights in a box that scrolls. Only those in sight are elements. */

import { firstWhere } from '../bisect.ts';

export interface VirtualRow {
  height: number;
  draw: () => HTMLElement;
}

/**
 * The height above and below the box that is drawn too. Browsers scroll a box with an opaque background by themselves, sixty times a
 * second, and ask for more rows when they can; until then there are these.
 */
const MARGIN = 1_000;
/** The number of rows outside of the box that are drawn in a frame, so that none takes longer than it has. */
const AT_ONCE = 16;

export class Rows {
  readonly #box: HTMLElement;
  readonly #inner: HTMLElement;
  #rows: VirtualRow[] = [];
  /** The top of each row, and at last the height of all. */
  #tops: number[] = [0];
  #drawn = new Map<number, HTMLElement>();
  #isWaiting = false;

  constructor(box: HTMLElement, inner: HTMLElement) {
    this.#box = box;
    this.#inner = inner;
    box.addEventListener('scroll', () => this.#draw(), { passive: true });
  }

  /** Replaces all rows. The box scrolls no further than they reach. */
  set(rows: VirtualRow[]): void {
    this.#rows = rows;
    const tops = [0];
    for (const { height } of rows) {
      tops.push((tops.at(-1) ?? 0) + height);
    }
    this.#tops = tops;
    this.#inner.style.height = `${tops.at(-1)}px`;
    this.#inner.replaceChildren();
    this.#drawn = new Map();
    this.#draw();
  }

  /** Scrolls until a row is in sight, and draws it. */
  reveal(index: number): void {
    const [top = 0, bottom = top] = [this.#tops[index], this.#tops[index + 1]];
    const { scrollTop, clientHeight } = this.#box;
    if (top < scrollTop || bottom > scrollTop + clientHeight) {
      this.#box.scrollTop = top < scrollTop ? top : bottom - clientHeight;
    }
    this.#draw();
  }

  /** How many rows fill the box, at least one. */
  get page(): number {
    const height = (this.#tops.at(-1) ?? 0) / Math.max(1, this.#rows.length);
    return Math.max(1, Math.floor(this.#box.clientHeight / Math.max(1, height)));
  }

  /** Draws the rows in sight, and some of those around them; the others follow in the next frames. */
  #draw(): void {
    const { scrollTop, clientHeight } = this.#box;
    const first = this.#at(scrollTop - MARGIN);
    const last = this.#at(scrollTop + clientHeight + MARGIN);
    let next: HTMLElement | null = null;
    for (const [index, element] of this.#drawn) {
      // What has the focus stays, or the focus would be lost.
      if ((index < first || index > last) && !element.contains(document.activeElement)) {
        element.remove();
        this.#drawn.delete(index);
      } else if (index > last) {
        next = element;
      }
    }
    const [top, bottom] = [this.#at(scrollTop), this.#at(scrollTop + clientHeight)];
    const missing = range(first, last).filter((index) => this.#rows[index] && !this.#drawn.has(index));
    const around = missing.filter((index) => index < top || index > bottom);
    const distance = (index: number) => Math.max(top - index, index - bottom);
    const later = new Set(around.sort((a, b) => distance(a) - distance(b)).slice(AT_ONCE));
    // Their order is that of the rows, which is the order for the keyboard and for screen readers.
    for (let index = last; index >= first; index--) {
      const row = this.#rows[index];
      const known = this.#drawn.get(index);
      if (known) {
        next = known;
      } else if (row && !later.has(index)) {
        next = this.#inner.insertBefore(this.#element(row, index), next);
      }
    }
    if (later.size > 0 && !this.#isWaiting) {
      this.#isWaiting = true;
      requestAnimationFrame(() => {
        this.#isWaiting = false;
        this.#draw();
      });
    }
  }

  #element(row: VirtualRow, index: number): HTMLElement {
    const element = row.draw();
    element.style.top = `${this.#tops[index]}px`;
    element.style.height = `${row.height}px`;
    this.#drawn.set(index, element);
    return element;
  }

  /** The row at a height. */
  #at(height: number): number {
    const found = firstWhere(this.#rows.length, (index) => (this.#tops[index + 1] ?? 0) > height);
    return Math.max(0, Math.min(found, this.#rows.length - 1));
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
