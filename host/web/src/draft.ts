/**
 * The draft: the texts as they were last, so that a reload, or leaving the page and coming back, loses nothing.
 *
 * It is in the session storage of the browser. So each browser tab has a draft of its own, it is on this machine alone, and it
 * goes when the tab is closed for good.
 */

import { isShared, type Shared } from './share.ts';

/** The texts with what is shown of them, and the fragment of the address they were written at. */
export interface Draft extends Shared {
  fragment: string;
}

const KEY = 'sailplane.draft';
/** How long after an edit the draft is stored. */
const WAIT_MILLIS = 300;

/** The draft of this browser tab. Undefined when there is none. */
export function readDraft(): Draft | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return isShared(stored) ? { ...stored, fragment: String((stored as Draft).fragment) } : undefined;
  } catch {
    return undefined; // storage may be disabled
  }
}

/** Removes the draft from this machine. */
export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Then there is none.
  }
}

/** Whether a browser tab keeps a draft, or why not: nothing is written, or it is too large. */
export type Kept = 'none' | 'kept' | 'too large';

/** Stores drafts a moment after each change, and at once when the page is left. */
export class Keeper {
  readonly #draft: () => Draft | undefined;
  readonly #told: (kept: Kept) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `draft` makes the draft; undefined when nothing is written. `told` hears whether it is stored. */
  constructor(draft: () => Draft | undefined, told: (kept: Kept) => void) {
    this.#draft = draft;
    this.#told = told;
    // Not `unload`: it would keep the browser from holding the page ready for Back.
    addEventListener('pagehide', () => this.#flush());
    document.addEventListener('visibilitychange', () => this.#flush());
  }

  /** Something has changed. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), WAIT_MILLIS);
  }

  #flush(): void {
    if (this.#timer !== undefined) {
      this.#keep();
    }
  }

  #keep(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const draft = this.#draft();
    if (!draft) {
      forgetDraft();
      this.#told('none');
      return;
    }
    try {
      sessionStorage.setItem(KEY, JSON.stringify(draft));
      this.#told('kept');
    } catch {
      forgetDraft(); // an older one would bring back other texts
      this.#told('too large');
    }
  }
}
