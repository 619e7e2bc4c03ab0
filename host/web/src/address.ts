/**
 * The part of the page's address after `#`, which browsers never send to a server: the texts of a link, and what is shown
 * of them. `v1.…&view=why&composite=LLMInference default/qwen`
 */

import { NOTHING } from './selection.ts';
import type { AppStore } from './state.ts';

/** What stands in an address. */
export interface Address {
  /** The texts of a link, packed. Empty when there are none. */
  packed: string;
  /** What is shown, by name. */
  shown: ReadonlyMap<string, string>;
}

export function readAddress(hash: string): Address {
  const parts = hash.replace(/^#/, '').split('&').filter(Boolean);
  const packed = parts.filter((part) => !part.includes('='));
  const shown = new URLSearchParams(parts.filter((part) => part.includes('=')).join('&'));
  return { packed: packed.join('&'), shown: new Map(shown) };
}

/** The address, without `#`. Names with an empty value are left out. */
export function writeAddress({ packed, shown }: Address): string {
  const filled = [...shown].filter(([, value]) => value !== '');
  const spelled = filled.map(([name, value]) => `${name}=${readable(value)}`);
  return [packed, ...spelled].filter(Boolean).join('&');
}

/** Encodes only what has a meaning in an address, so that people can read the rest. */
function readable(value: string): string {
  return encodeURIComponent(value)
    .replace(/%(?:2F|3A|2C|5B|5D|40)/g, decodeURIComponent)
    .replace(/%20/g, '+');
}

/** So long after a change the address is written: browsers refuse to write it often. */
const WAIT_MILLIS = 250;

/** The address of the page, which says what is shown. */
export class AddressBar {
  readonly #store: AppStore;

  constructor(store: AppStore) {
    this.#store = store;
  }

  get now(): Address {
    return readAddress(location.hash);
  }

  /** Shows what an address says. */
  follow({ shown }: Address): void {
    const text = (name: string) => shown.get(name) ?? '';
    const [composite, object, field, cluster] = [text('composite'), text('object'), text('field'), text('cluster')];
    this.#store.set({
      ...(shown.has('view') && { view: text('view') }),
      selection: { ...NOTHING, composite, object, field, cluster },
      selectedBy: 'address',
      filters: Object.fromEntries([...shown].filter(([name]) => name.includes('.'))),
    });
  }

  /** From now on it says what is shown. */
  keep(): void {
    let soon: ReturnType<typeof setTimeout> | undefined;
    this.#store.watch(['view', 'selection', 'filters'], () => {
      clearTimeout(soon);
      soon = setTimeout(() => this.write(this.now.packed), WAIT_MILLIS);
    });
  }

  /** Writes what is shown now, with these texts of a link. */
  write(packed: string): void {
    const { view, selection, filters } = this.#store.state;
    const shown = new Map(Object.entries({ view: view === 'result' ? '' : view, ...selection, ...filters }));
    const address = writeAddress({ packed, shown });
    if (`#${address}` !== (location.hash || '#')) {
      history.replaceState(null, '', address === '' ? location.pathname + location.search : `#${address}`);
    }
  }
}
