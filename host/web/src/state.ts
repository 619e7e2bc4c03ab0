/** What the page shows. The texts themselves are in the editor. */

import type { Problem } from './editor/problems.ts';
import type { TextName } from './editor/texts.ts';
import type { Answer } from './render/answer.ts';
import { EMPTY_SHEET, type Sheet } from './sheet.ts';
import { Store } from './store.ts';

export type ViewName = 'result' | 'tree' | 'why';

export interface Example {
  kind: string;
  name: string;
  title: string;
  text: string;
}

export interface ModuleInfo {
  name: string;
  /** What it calls itself, e.g. `sailplane 0.1.0`. */
  title: string;
  kinds: string[];
  builtIn: boolean;
}

/** Something people are told once. */
export interface Notice {
  gravity: 'info' | 'error';
  text: string;
}

export interface State {
  /** Whether the component runs: it is loading, it runs, or it could not be loaded. */
  engine: 'loading' | 'running' | 'broken';
  /** Whether a preview is under way. */
  busy: boolean;
  modules: ModuleInfo[];
  examples: Example[];

  text: TextName;
  view: ViewName;
  /** On a narrow screen one pane is shown at a time. */
  pane: 'texts' | 'views';
  /** The time that compositions are told, in RFC 3339; empty when they are told none. */
  clock: string;
  /** Texts that have something in them. */
  filled: ReadonlySet<TextName>;

  answer: Answer | undefined;
  sheet: Sheet;
  /** The result before this one, as text. */
  previous: string | undefined;
  /** Whether the result is compared with it. */
  comparing: boolean;
  /** Whether the answer is of an earlier text, because the last one has errors or failed. */
  outdated: boolean;
  problems: Problem[];
  /** Modules that failed, and why. */
  failures: { module: string; why: string }[];
  /** How long the last preview took. */
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
    pane: 'views', // where a page without a text has something to begin with
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
