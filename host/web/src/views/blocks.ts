/** Elements of a list, each made of its key alone. Those whose keys stay are kept: most keystrokes change few, or none. */

export interface Block {
  /** All that the element shows. */
  key: string;
  draw: () => HTMLElement;
}

export class Blocks {
  readonly #list: HTMLElement;
  #drawn: { key: string; element: HTMLElement }[] = [];

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  /** Shows these blocks, and no others. */
  show(blocks: Block[]): void {
    const known = new Map(this.#drawn.map(({ key, element }) => [key, element]));
    this.#drawn = blocks.map(({ key, draw }) => {
      const element = known.get(key) ?? draw();
      known.delete(key); // an element has one place
      return { key, element };
    });
    this.#place(this.#drawn.map(({ element }) => element));
  }

  /** Makes these elements the children of the list. Those that are there already are not touched. */
  #place(elements: HTMLElement[]): void {
    const kept = new Set<Element>(elements);
    for (const child of [...this.#list.children]) {
      if (!kept.has(child)) {
        child.remove();
      }
    }
    let at: Element | null = this.#list.firstElementChild;
    for (const element of elements) {
      if (element === at) {
        at = at.nextElementSibling;
      } else {
        this.#list.insertBefore(element, at);
      }
    }
  }
}
