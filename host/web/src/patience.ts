/** Says how long an answer has been awaited. */

import type { Waiting } from './state.ts';

/** Most answers come earlier; a sign for each of them would flicker. */
const FIRST_MILLIS = 150;

export class Patience {
  readonly #tell: (waiting: Waiting | undefined) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since: number | undefined;

  /** `tell` hears how long it has been after the first moment, then each second, and undefined in the end. */
  constructor(tell: (waiting: Waiting | undefined) => void) {
    this.#tell = tell;
  }

  /** A question was asked, for which there is so much time. Until the answer, further ones do not begin anew. */
  begin(millis: number): void {
    if (this.#since !== undefined) {
      return;
    }
    const since = performance.now();
    this.#since = since;
    const say = () => {
      const seconds = Math.floor((performance.now() - since) / 1000);
      this.#tell({ seconds, most: Math.round(millis / 1000) });
      this.#timer = setTimeout(say, 1000 * (seconds + 1) - (performance.now() - since));
    };
    this.#timer = setTimeout(say, FIRST_MILLIS);
  }

  /** There is an answer, or none will come. */
  end(): void {
    clearTimeout(this.#timer);
    this.#since = undefined;
    this.#tell(undefined);
  }
}
