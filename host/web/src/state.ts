/** The state of the page, without the texts, which are in the editor. */

import type { Problem } from './editor/problems.ts';
import type { TextName } from './editor/texts.ts';
import type { Answer } from './render/answer.ts';
import { EMPTY_SHEET, type Sheet } from './sheet.ts';
import { Store } from './store.ts';

/** The views of the result, in the order of their tabs. */
export const VIEWS = [
  { name: 'result', title: 'Result' },
  { name: 'tree', title: 'Tree' },
  { name: 'why', title: 'Why' },
  { name: 'fleet', title: 'Fleet' },
] as const;

export type ViewName = (typeof VIEWS)[number]['name'];

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
}

export interface State {
  /** Whether the component is loading, runs, or could not be loaded. */
  engine: 'loading' | 'running' | 'broken';
  /** Whether a preview is running. */
  busy: boolean;
  modules: ModuleInfo[];
  examples: Example[];

  text: TextName;
  view: ViewName;
  /** The visible pane on a narrow screen, which shows one at a time. */
  pane: 'texts' | 'views';
  /** The time at which composites are composed, in RFC 3339; empty when compositions get no time. */
  clock: string;
  /** Whether what is composed counts as observed and ready. */
  settled: boolean;
  /** The texts that are not empty. */
  filled: ReadonlySet<TextName>;

  answer: Answer | undefined;
  sheet: Sheet;
  /** The text of the result before this one. */
  previous: string | undefined;
  /** Whether the result is compared with `previous`. */
  comparing: boolean;
  /** Whether the answer is for an earlier text, because the current text has errors or a module failed. */
  outdated: boolean;
  problems: Problem[];
  /** The modules that failed, and why. */
  failures: { module: string; why: string }[];
  /** The duration of the last preview in milliseconds. */
  millis: number | undefined;

  notice: Notice | undefined;
}

export type AppStore = Store<State>;

export function createStore(): AppStore {
  return new Store<State>({
    engine: 'loading',
    busy: false,
    modules: [],
    examples: [],
    text: 'manifest',
    view: 'result',
    clock: '',
    settled: false,
    pane: 'views', // without a text, this pane shows how to begin
    filled: new Set(),
    answer: undefined,
    sheet: EMPTY_SHEET,
    previous: undefined,
    comparing: false,
    outdated: false,
    problems: [],
    failures: [],
    millis: undefined,
    notice: undefined,
  });
}
