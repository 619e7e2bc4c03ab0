/** Rows of known heights in a box that scrolls. Only those in sight are elements. */

export interface VirtualRow {
  height: number;
  draw: () => HTMLElement;
}

/** The height above and below the box that is drawn too, so that scrolling shows no gaps. */
const MARGIN = 300;

export class Rows {
  readonly #box: HTMLElement;
  readonly #inner: HTMLElement;
  #rows: VirtualRow[] = [];
  /** The top of each row, and at last the height of all. */
  #tops: number[] = [0];
  #drawn = new Map<number, HTMLElement>();

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

  #draw(): void {
    const { scrollTop, clientHeight } = this.#box;
    const first = this.#at(scrollTop - MARGIN);
    const last = this.#at(scrollTop + clientHeight + MARGIN);
    for (const [index, element] of this.#drawn) {
      // What has the focus stays, or the focus would be lost.
      if ((index < first || index > last) && !element.contains(document.activeElement)) {
        element.remove();
        this.#drawn.delete(index);
      }
    }
    for (let index = first; index <= last; index++) {
      const row = this.#rows[index];
      if (row && !this.#drawn.has(index)) {
        const element = row.draw();
        element.style.top = `${this.#tops[index]}px`;
        element.style.height = `${row.height}px`;
        this.#drawn.set(index, element);
        this.#insert(index, element);
      }
    }
  }

  /** Inserts an element in the order of the rows, which is the order for the keyboard and for screen readers. */
  #insert(index: number, element: HTMLElement): void {
    const next = [...this.#drawn.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
    this.#inner.insertBefore(element, next === undefined ? null : (this.#drawn.get(next) ?? null));
  }

  /** The row at a height. */
  #at(height: number): number {
    let [low, high] = [0, this.#rows.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#tops[middle + 1] ?? 0) > height) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return Math.max(0, low);
  }
}
