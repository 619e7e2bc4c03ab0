/**
 * What a view of the result is. Each is a module of its own; `views.ts` lists them, and tabs, keys, addresses and zones are
 * made from that list.
 */

import type { App } from '../app.ts';
import type { State } from '../state.ts';
import type { Badge } from './tabs.ts';

/** Where a view is on a very wide screen, which shows a view of each zone. */
export type Zone = 'outline' | 'details' | 'why';

export interface View {
  /** Its name in addresses. Names of its filters there begin with it: `outline.find`. */
  readonly name: string;
  readonly title: string;
  readonly icon: string;
  /** The keys that show it. Absent for the first ones, which have digits. */
  readonly key?: string;
  readonly zone: Zone;
  /** Whether there is something to show. Absent means always. */
  isThere?(state: State): boolean;
  /** What its tab tells about it. */
  badge?(state: State): Badge | undefined;
  /** What of the state it is drawn from: e.g. the answer, the selection, and filters. */
  readonly draws: readonly (keyof State)[];
  /**
   * Fills its panel, once. Returns the function that draws it, which is called when it comes into sight and, while it is in
   * sight, when something changes that it is drawn from.
   */
  mount(app: App, panel: HTMLElement): (state: State) => void;
}
