/** The state of the page. Data flows one way: actions set the state, and views watch it. Nothing is read from views. */
export class Store<S extends object> {
  #state: S;
  readonly #watchers = new Set<() => void>();

  constructor(state: S) {
    this.#state = state;
  }

  get state(): Readonly<S> {
    return this.#state;
  }

  set(patch: Partial<S>): void {
    this.#state = { ...this.#state, ...patch };
    for (const watcher of this.#watchers) {
      watcher();
    }
  }

  /** Calls `draw` now, and after each change of one of `keys`. */
  watch<K extends keyof S>(keys: readonly K[], draw: (state: Readonly<S>) => void): void {
    let drawn: readonly unknown[] | undefined;
    const look = () => {
      const now = keys.map((key) => this.#state[key]);
      if (!drawn || now.some((value, index) => value !== drawn?.[index])) {
        drawn = now;
        draw(this.#state);
      }
    };
    this.#watchers.add(look);
    look();
  }
}
