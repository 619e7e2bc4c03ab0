/** The state of the page, without the texts, which are in the editor. */

import type { Kept } from './draft.ts';
import type { Problem } from './editor/problems.ts';
import type { TextName } from './editor/texts.ts';
import type { Answer } from './render/answer.ts';
import type { Plan } from './render/plan.ts';
import { NOTHING, type Selection } from './selection.ts';
import { EMPTY_SHEET, type Sheet } from './sheet.ts';
import { Store } from './store.ts';

export interface Example {
  kind: string;
  name: string;
  title: string;
  text: string;
}

export interface ModuleInfo {
  name: string;
  /** Name and version, e.g. `sailplane 0.1.0`. */
  title: string;
  kinds: string[];
  builtIn: boolean;
}

/** A message that is shown once. */
export interface Notice {
  gravity: 'info' | 'error';
  text: string;
  /** What a button in it does. */
  action?: { title: string; run: () => void };
}

/** How long the answer to the texts has been awaited. */
export interface Waiting {
  /** Seconds so far. */
  seconds: number;
  /** After how many it is given up. */
  most: number;
}

/** A plan, and what it was asked for. */
export interface Planning {
  /** The texts and the changes. */
  key: string;
  /** Absent while it is awaited, and when there is none. */
  plan?: Plan;
  /** Why there is none. */
  why?: string;
}

export interface State {
  /** Whether the component is loading, runs, or could not be loaded. */
  engine: 'loading' | 'running' | 'broken';
  /** Present while the result is not yet that of the texts, but for the first moment. */
  waiting: Waiting | undefined;
  modules: ModuleInfo[];
  examples: Example[];

  text: TextName;
  /** The name of the view that was chosen last. */
  view: string;
  /** The one of those in the zone of details. */
  details: string;
  /** Whether the screen is so wide that a view of each zone is in sight. */
  wide: boolean;
  selection: Selection;
  /** Where it was selected. Everything else brings it in sight. */
  selectedBy: string;
  /** What of a view is shown, by the name of the view and of the filter: `outline.find`. */
  filters: Readonly<Record<string, string>>;
  /** The line of the shown text where the user put the cursor, from 1. */
  cursor: number | undefined;
  /** The line of the shown text under the pointer, from 1. */
  pointed: number | undefined;
  /** The visible pane on a narrow screen, which shows one at a time. */
  pane: 'texts' | 'views';
  /** The time at which composites are composed, in RFC 3339; empty when compositions get no time. */
  clock: string;
  /** Whether what is composed counts as observed and ready. */
  settled: boolean;
  /** The texts that are not empty. */
  filled: ReadonlySet<TextName>;
  /** Whether this browser tab keeps a draft of the texts. */
  draft: Kept;

  answer: Answer | undefined;
  /** The number of the texts that came from elsewhere, e.g. from an example, and have an answer. */
  opened: number;
  sheet: Sheet;
  /** The text of the result before this one. */
  previous: string | undefined;
  /** The result that this one is compared with instead, and what it is called. */
  baseline: { title: string; text: string; answer: Answer | undefined } | undefined;
  /** Whether the result is compared with `baseline`, or without one with `previous`. */
  comparing: boolean;
  /** Whether the answer is for an earlier text, because the current text has errors or a module failed. */
  outdated: boolean;
  problems: Problem[];
  /** The modules that failed, and why. */
  failures: { module: string; why: string }[];
  /** The duration of the last preview in milliseconds. */
  millis: number | undefined;

  /** The last plan. A new one takes its place when it is there. */
  planning: Planning | undefined;
  /** Present while a plan is awaited. */
  planWaiting: Waiting | undefined;

  notice: Notice | undefined;
}

export type AppStore = Store<State>;

export function createStore(): AppStore {
  return new Store<State>({
    engine: 'loading',
    waiting: undefined,
    modules: [],
    examples: [],
    text: 'manifest',
    view: 'result',
    details: 'result',
    wide: false,
    selection: NOTHING,
    selectedBy: '',
    filters: {},
    cursor: undefined,
    pointed: undefined,
    clock: '',
    settled: false,
    pane: 'views', // without a text, this pane shows how to begin
    filled: new Set(),
    draft: 'none',
    answer: undefined,
    opened: 0,
    sheet: EMPTY_SHEET,
    previous: undefined,
    baseline: undefined,
    comparing: false,
    outdated: false,
    problems: [],
    failures: [],
    millis: undefined,
    planning: undefined,
    planWaiting: undefined,
    notice: undefined,
  });
}
