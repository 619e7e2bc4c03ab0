/** The actions of the page. Every action changes the store, from which the views are drawn. */

import { AddressBar, readAddress } from './address.ts';
import { secondsOf } from './clock.ts';
import type { Change } from './contract.ts';
import { type Content, Desk } from './desk.ts';
import { capital } from './dom.ts';
import { type Draft, forgetDraft, Keeper, readDraft } from './draft.ts';
import { fixAll } from './editor/fixes.ts';
import { fixableProblem, nextProblem } from './editor/nearby.ts';
import { applyFix, type Problem, placed, SOURCES, underline } from './editor/problems.ts';
import { TEXT_NAMES, TEXTS, type TextName, type Texts } from './editor/texts.ts';
import { Engine, type Outcome } from './engine/engine.ts';
import { loadBrought, loadBuiltIn } from './engine/load.ts';
import { type Module, PLAN_MILLIS, previewMillis } from './engine/module.ts';
import { Planner } from './engine/planner.ts';
import { loadPrepared, type Prepared, preparedAnswer } from './engine/prepared.ts';
import { openComponent, openText, saveText } from './files.ts';
import { groupBy } from './group.ts';
import { observedOf } from './observed.ts';
import { type Origin, Origins } from './origins.ts';
import { Patience } from './patience.ts';
import type { Answer, Family, Resource } from './render/answer.ts';
import { planRequestOf, requestOf } from './request.ts';
import { examplesOf, notReadyIn, type Scene } from './scenes.ts';
import { type Kinds, kindsOf } from './schema/schema.ts';
import { type Found, NOTHING, type Selection, selectedIn, selectionOf } from './selection.ts';
import { fromFragment, type Shared, toFragment } from './share.ts';
import { sheetOf } from './sheet.ts';
import { textFor } from './sorting.ts';
import type { AppStore, Example, State } from './state.ts';
import type { Template } from './templates.ts';
import { unmatched } from './unmatched.ts';

/** A result is compared with the last one that stood this long, because shorter ones appear while the user types. */
const SETTLED_MILLIS = 1_500;

/** How long nobody must have typed before a plan is asked for: it may take seconds. */
const PLAN_PAUSE_MILLIS = 400;

/** The longest manifest whose result is shown before the component has said what it can do. */
const MOST_AT_FIRST = 20_000;

/** Everything that a result depends on beside the manifest. */
type Circumstances = Pick<Aside, 'texts' | 'clock' | 'settled'>;

/** A preview of other texts than those that are shown. Those that are not given are the present ones. */
interface Aside {
  texts: Content;
  clock: string;
  settled: boolean;
  take: (outcome: Outcome<Asked>) => void;
}

/** What a preview was asked for. */
interface Asked {
  revision: number;
  /** Absent when it is the result itself that was asked for. */
  aside: Aside | undefined;
}

const NO_SCENE: Circumstances = { texts: {}, clock: '', settled: false };

export class App {
  readonly store: AppStore;
  /** Set when the editor exists. The editor itself needs this object. */
  texts!: Texts;
  origins: Origins | undefined;
  #kinds: { composites: Kinds; options: Kinds } = { composites: new Map(), options: new Map() };
  readonly #desk = new Desk(() => this.texts);
  readonly #address: AddressBar;
  readonly #engine: Engine<Asked>;
  /** What can be shown before the component is there. */
  #prepared: Prepared | undefined;
  readonly #patience = new Patience((waiting) => this.store.set({ waiting }));
  readonly #planner = new Planner(() => this.#engine.modules);
  readonly #planPatience = new Patience((planWaiting) => this.store.set({ planWaiting }));
  #planSoon: ReturnType<typeof setTimeout> | undefined;
  #planAsked = '';
  readonly #keeper = new Keeper(
    () => this.#draft(),
    (draft) => this.store.set({ draft }),
  );
  #revision = 0;
  #isDue = false;
  /** What is previewed next, before the texts. */
  #aside: Aside | undefined;
  /** What the last scene brought beside the manifest. */
  #scene: Circumstances = NO_SCENE;
  #shownAt = 0;
  /** Whether the manifest came from elsewhere, and has no answer yet. */
  #isNew = false;

  constructor(store: AppStore) {
    this.store = store;
    this.#address = new AddressBar(store);
    store.watch(['text', 'view', 'clock', 'settled'], () => this.#keeper.changed());
    this.#engine = new Engine((outcome) => this.#show(outcome));
  }

  /** Whether the address has texts that somebody else may have written. */
  get cameByLink(): boolean {
    return this.#address.now.packed !== '';
  }

  // The component.

  /** Loads the built-in component, and for those who have no texts yet also what shows an example before it is there. */
  async load(): Promise<void> {
    this.store.set({ engine: 'loading', failures: [] });
    this.#prepare();
    try {
      this.#add(await loadBuiltIn((module) => this.#first(module)));
    } catch (error) {
      this.store.set({ engine: 'broken', failures: [{ module: 'built in', why: words(error) }] });
    }
  }

  async #prepare(): Promise<void> {
    if (this.#prepared || this.store.state.filled.size > 0) {
      return;
    }
    // Without it, the component has the same a little later.
    this.#prepared = await loadPrepared().catch(() => undefined);
    if (this.#prepared && this.store.state.engine !== 'running') {
      this.store.set({ examples: this.#prepared.examples });
    }
  }

  /** Shows the first result before the component has said what it can do, which only other texts need. */
  async #first(module: Module): Promise<void> {
    const { filled, clock, settled } = this.store.state;
    const revision = this.#revision;
    const length = this.texts.text('manifest').length;
    if (filled.size !== 1 || length === 0 || length > MOST_AT_FIRST) {
      return;
    }
    const request = requestOf((name) => this.texts.text(name), [], { now: secondsOf(clock), settled });
    const begun = performance.now();
    // What is wrong is said with the result that follows.
    const answer = await module.preview(request).catch(() => undefined);
    if (answer && revision === this.#revision) {
      this.#showResult({ answer, failures: [], millis: performance.now() - begun });
    }
  }

  /** Adds a component of the user. */
  async bring(file: File): Promise<void> {
    this.store.set({ notice: { gravity: 'info', text: `Loading ${file.name}…` } });
    try {
      const module = await loadBrought(file.name, new Uint8Array(await file.arrayBuffer()));
      this.#add(module);
      const kinds = [...new Set(module.contents.kinds.map(({ kind }) => kind.kind))].join(', '); // one name may stand for two APIs
      this.say(`${file.name} runs beside the built-in component: ${kinds || 'it has no kinds'}`);
    } catch (error) {
      this.complain(`${file.name} cannot be used: ${words(error)}`);
    }
  }

  async chooseComponent(): Promise<void> {
    const file = await openComponent();
    if (file) {
      await this.bring(file);
    }
  }

  removeModule(name: string): void {
    this.#engine.remove(name);
    this.#modulesChanged();
  }

  kinds(name: TextName): Kinds {
    return name === 'options' ? this.#kinds.options : this.#kinds.composites;
  }

  #add(module: Module): void {
    this.#engine.add(module);
    this.#modulesChanged();
  }

  #modulesChanged(): void {
    const { modules, kinds } = this.#engine;
    this.#kinds = kindsOf(
      kinds,
      modules.map(({ contents }) => contents),
    );
    this.store.set({
      engine: 'running',
      modules: modules.map(({ name, contents, builtIn }) => ({
        name,
        title: `${contents.name} ${contents.version}`,
        kinds: contents.kinds.map(({ kind }) => kind.kind),
        builtIn,
      })),
      examples: examplesOf(kinds),
    });
    this.run();
  }

  // Previews.

  /** A text has changed. */
  changed(name: TextName): void {
    const filled = new Set(TEXT_NAMES.filter((each) => this.texts.state(each).doc.length > 0));
    const before = this.store.state.filled;
    if (filled.has(name) !== before.has(name)) {
      this.store.set({ filled });
    }
    this.run();
    this.#keeper.changed();
  }

  /**
   * Sets the time at which composites are composed; an empty text means no time. Returns false when it is no valid
   * time.
   */
  setClock(clock: string): boolean {
    if (clock !== '' && secondsOf(clock) === undefined) {
      this.complain(`Time: \`${clock}\` is no time since 1970; write e.g. \`2026-01-31T12:00:00Z\`, or nothing`);
      return false;
    }
    if (clock !== this.store.state.clock) {
      this.store.set({ clock });
      this.run();
    }
    return true;
  }

  /** Takes what is composed as observed and ready, or not. */
  assume(settled: boolean): void {
    if (settled !== this.store.state.settled) {
      this.store.set({ settled });
      this.run();
    }
  }

  /** Previews the current texts, once for all changes of this moment. A plan of other texts is of no use any more. */
  run(): void {
    this.#revision++;
    this.stopPlan();
    if (!this.#isDue) {
      this.#isDue = true;
      queueMicrotask(() => this.#ask());
    }
  }

  /** Stops the preview that runs. */
  stop(): void {
    this.#engine.stop();
  }

  #ask(): void {
    this.#isDue = false;
    const aside = this.#aside;
    const { clock, settled } = aside ?? this.store.state;
    const request = requestOf((name) => aside?.texts[name] ?? this.texts.text(name), this.#engine.kinds, {
      now: secondsOf(clock),
      settled,
    });
    const about = { revision: this.#revision, aside };
    if (this.store.state.engine === 'running') {
      this.#patience.begin(previewMillis(request));
      this.#engine.preview({ request, about });
      return;
    }
    const answer = this.#prepared && preparedAnswer(this.#prepared, request);
    if (answer) {
      this.#show({ asked: about, answer, failures: [], millis: undefined, unfinished: false });
    } else if (aside) {
      this.#aside = undefined;
      this.complain('The component is not there yet; try that again when it is');
      this.#ask();
    } else if (this.store.state.answer) {
      this.store.set({ outdated: true });
    }
  }

  #show(outcome: Outcome<Asked>): void {
    const { asked, unfinished } = outcome;
    if (asked.revision !== this.#revision) {
      return;
    }
    if (!unfinished) {
      this.#patience.end();
    }
    if (!asked.aside) {
      this.#showResult(outcome);
    } else if (!unfinished) {
      this.#aside = undefined;
      asked.aside.take(outcome);
    }
  }

  #showResult({ answer, failures, millis }: Pick<Outcome<Asked>, 'answer' | 'failures' | 'millis'>): void {
    const { state } = this.store;
    const problems = placed(answer.diagnostics, this.texts);
    if (state.engine === 'running') {
      problems.push(...unmatched(this.texts, answer, problems, this.#kinds)); // it needs to know the kinds
    }
    const failed = failures.length > 0 && answer.families.length === 0;
    const wrong = problems.some(({ diagnostic }) => diagnostic.gravity === 'error');
    const nothing = answer.families.length === 0;
    underline(problems, this.texts);
    if (nothing && (failed || wrong) && state.answer) {
      // The last good result stays visible while the user corrects the text.
      this.store.set({ outdated: true, problems, failures, millis });
      return;
    }
    if (answer.families === state.answer?.families && !state.outdated) {
      this.store.set({ problems, failures, millis }); // a check has found more
      return;
    }
    const sheet = sheetOf(answer);
    this.origins = new Origins(this.texts, sheet);
    const now = performance.now();
    const settled = state.sheet.text !== '' && state.sheet.text !== sheet.text && now - this.#shownAt > SETTLED_MILLIS;
    if (state.sheet.text !== sheet.text) {
      this.#shownAt = now;
    }
    this.store.set({
      outdated: false,
      answer: nothing && answer.places.length === 0 ? undefined : answer,
      sheet,
      problems,
      failures,
      millis,
      ...(settled && { previous: state.sheet.text }),
      ...(this.#isNew && { opened: state.opened + 1 }),
    });
    this.#isNew = false;
  }

  // Plans.

  /** Plans with these changes, when nobody types for a moment, unless that has been asked. */
  plan(changes: Change[]): void {
    if (this.store.state.engine !== 'running') {
      return; // the answer comes again when the component is there
    }
    const request = planRequestOf((name) => this.texts.text(name), changes);
    const key = JSON.stringify(request);
    if (key === this.#planAsked || key === this.store.state.planning?.key) {
      return;
    }
    this.stopPlan();
    this.#planAsked = key;
    this.#planSoon = setTimeout(async () => {
      this.#planPatience.begin(PLAN_MILLIS);
      const outcome = await this.#planner.ask(request);
      if (outcome && key === this.#planAsked) {
        this.#planAsked = '';
        this.store.set({ planning: { key, ...outcome } });
        this.#planPatience.end();
      }
    }, PLAN_PAUSE_MILLIS);
  }

  /** Stops the plan that runs. With `why`, that stands in its place. */
  stopPlan(why?: string): void {
    const key = this.#planAsked;
    if (key === '') {
      return;
    }
    this.#planAsked = '';
    clearTimeout(this.#planSoon);
    this.#planner.stop();
    if (why !== undefined) {
      this.store.set({ planning: { key, why } });
    }
    this.#planPatience.end();
  }

  /** Plans what was not planned: it failed, or was stopped. */
  planAgain(): void {
    this.store.set({ planning: undefined });
  }

  // Comparing.

  compare(comparing: boolean): void {
    this.store.set({ comparing });
  }

  /** Compares with the present result from now on. */
  pin(): void {
    const { sheet, answer } = this.store.state;
    this.store.set({ baseline: { title: 'the pinned result', text: sheet.text, answer }, comparing: true });
  }

  /** Compares with the result before the last edit again. */
  unpin(): void {
    this.store.set({ baseline: undefined });
  }

  /** Compares with what other texts become. Those that are not given are the present ones. */
  pinTexts(title: string, texts: Content): void {
    const { clock, settled } = this.store.state;
    this.#aside = { texts, clock, settled, take: (outcome) => this.#compareWith(title, outcome) };
    this.run();
  }

  async pinFile(): Promise<void> {
    const opened = await this.#attempt('the file cannot be opened', openText());
    if (opened) {
      this.pinTexts(opened.name, { [textFor(opened.text, this.#kinds) ?? this.texts.shown]: opened.text });
    }
  }

  /** Compares with the texts of a link that was copied. */
  async pinLink(): Promise<void> {
    const link = await this.#attempt('the clipboard cannot be read', navigator.clipboard.readText());
    if (link === undefined) {
      return;
    }
    const { packed } = readAddress(link.slice(link.indexOf('#') + 1));
    const shared = await fromFragment(packed).catch(() => undefined);
    if (shared) {
      this.pinTexts('the link', whole(shared.texts));
    } else {
      this.complain('The clipboard has no link of this page with texts');
    }
  }

  #compareWith(title: string, { answer, failures: [failure] }: Outcome<Asked>): void {
    if (failure) {
      this.complain(`${title} has no result to compare with: ${failure.module}: ${failure.why}`);
    } else {
      this.store.set({ baseline: { title, text: sheetOf(answer).text, answer }, comparing: true });
    }
    this.run();
  }

  // Looking around.

  showText(text: TextName, pane: State['pane'] = 'texts'): void {
    this.texts.show(text);
    this.store.set({ text, pane });
  }

  showTexts(): void {
    this.store.set({ pane: 'texts' });
  }

  showView(view: string): void {
    this.store.set({ view, pane: 'views' });
  }

  /** Selects an object, a field of it, or a cluster, in all views. `by` is where that was done. */
  select(selection: Selection, by: string): void {
    this.store.set({ selection, selectedBy: by });
  }

  /** Selects an object and shows it in the result. */
  reveal(found: Found): void {
    this.select(selectionOf(found), 'link');
    this.showView('result');
  }

  /** Sets what of a view is shown. `name` is that of the view and of the filter: `outline.find`. */
  filter(name: string, value: string): void {
    this.store.set({ filters: { ...this.store.state.filters, [name]: value } });
  }

  /** The pointer is on a line of the shown text; undefined when it has left. */
  pointAt(line: number | undefined): void {
    if (line !== this.store.state.pointed) {
      this.store.set({ pointed: line });
    }
  }

  /** The cursor went to a line of the shown text: the composite there is selected, if no object of it is. */
  cursorAt(line: number): void {
    const { answer, outdated, selection, text } = this.store.state;
    this.store.set({ cursor: line });
    const family = outdated ? undefined : familyAt(answer, SOURCES.indexOf(text), line);
    const [composite] = family?.composites ?? [];
    if (family && composite && selectedIn(answer, selection)?.family !== family) {
      this.select(selectionOf({ family, composite }), 'text');
    }
  }

  /** Selects the place of a cause. The focus stays where it is, so that the next key changes no text. */
  go(origin: Origin, pane: State['pane'] = 'texts'): void {
    this.texts.go(origin.text, origin.from, origin.to, false);
    this.store.set({ text: origin.text, pane });
  }

  // Problems.

  goToProblem({ text, span }: Problem): void {
    this.showText(text);
    this.texts.go(text, span.from, span.to);
  }

  /** Goes to the next problem after the cursor, through all texts. */
  nextProblem(): void {
    const next = nextProblem(this.store.state.problems, this.texts.shown, this.texts.view.state.selection.main.head);
    if (next) {
      this.showText(next.text);
      this.texts.explain(next.span.from, next.span.to);
    } else {
      this.say('There are no problems');
    }
  }

  /** Applies the fix of the problem at the cursor, or of one in its line. */
  fixHere(): void {
    const { doc, selection } = this.texts.view.state;
    const { head } = selection.main;
    const problem = fixableProblem(this.store.state.problems, this.texts.shown, head, doc.lineAt(head));
    if (problem) {
      this.fix(problem);
    } else {
      this.complain('no problem in this line has a fix; F8 goes to the next problem');
    }
  }

  fix(problem: Problem): void {
    this.showText(problem.text);
    if (!applyFix(this.texts.view, problem)) {
      this.complain('the text has changed since; there is nothing to fix in that place');
    }
    this.texts.view.focus();
  }

  /** Applies all fixes. */
  fixAll(): void {
    const { problems } = this.store.state;
    const fixed = TEXT_NAMES.reduce((sum, name) => sum + fixAll(this.texts, name, problems), 0);
    this.say(fixed === 1 ? 'One problem is fixed' : `${fixed} problems are fixed; undo brings the text back`);
  }

  // Texts from elsewhere.

  useExample({ text, title }: Example): void {
    // What a scene brought and nobody has changed goes with it, since it has to do with that manifest only.
    const scene = this.#scene;
    const stale = TEXT_NAMES.filter((name) => scene.texts[name] === this.texts.text(name)).map((name) => [name, '']);
    this.#bring({ ...Object.fromEntries(stale), manifest: text }, `${capital(title)} is the manifest now`);
    if (scene.clock === this.store.state.clock) {
      this.setClock('');
    }
    this.assume(this.store.state.settled && !scene.settled);
    this.#scene = NO_SCENE;
    this.showText('manifest', 'views');
    this.texts.view.focus();
  }

  /** Shows a scene. What is observed in it is made of the result of its other texts. */
  useScene(scene: Scene): void {
    const { texts, title, observed, time: clock = '', settled = false } = scene;
    const show = (observed: string) => {
      const all = { ...texts, observed };
      this.#bring(all, `The texts show a scene now: ${title}`);
      this.setClock(clock);
      this.assume(settled);
      this.#scene = { texts: all, clock, settled };
      this.showText('manifest', 'views');
      this.texts.view.focus();
    };
    if (observed) {
      const take = ({ answer }: Outcome<Asked>) => show(observedOf(answer, notReadyIn(scene, answer)));
      this.#aside = { texts: { ...texts, observed: '' }, clock, settled, take };
      this.run();
    } else {
      show('');
    }
  }

  /** Begins the options, which are empty. */
  useTemplate({ text }: Template): void {
    this.#bring({ options: text }, '');
    this.texts.view.focus();
  }

  async open(): Promise<void> {
    const opened = await this.#attempt('the file cannot be opened', openText());
    if (opened) {
      const name = this.texts.shown;
      this.#bring({ [name]: opened.text }, `${opened.name} is the ${TEXTS[name].title.toLowerCase()} now`, true);
      this.#desk.setFile(name, opened);
    }
  }

  async save(): Promise<void> {
    const name = this.texts.shown;
    const file = this.#desk.fileOf(name);
    const saving = saveText(this.texts.text(name), file?.name ?? TEXTS[name].file, file?.handle);
    const saved = await this.#attempt('the file cannot be saved', saving);
    if (saved) {
      this.#desk.setFile(name, saved);
      this.say(`Saved as ${saved.name}`);
    }
  }

  /** Takes dropped files: components, and texts, each for the tab where its content fits. */
  async drop(files: File[]): Promise<void> {
    for (const component of files.filter(({ name }) => name.endsWith('.wasm'))) {
      await this.bring(component);
    }
    const texts = files.filter(({ name }) => !name.endsWith('.wasm'));
    const dropped = await this.#attempt(
      'the file cannot be read',
      Promise.all(texts.map(async (file) => ({ name: file.name, content: await file.text() }))),
    );
    const sorted = groupBy(dropped ?? [], ({ content }) => textFor(content, this.#kinds) ?? this.texts.shown);
    const [first] = sorted.keys();
    if (first) {
      const joined = [...sorted].map(([text, files]) => [text, files.map(({ content }) => content).join('\n---\n')]);
      const places = [...sorted].map(
        ([text, files]) => `${files.map(({ name }) => name).join(', ')}: read into ${TEXTS[text].title}`,
      );
      this.#bring(Object.fromEntries(joined), places.join('; '), true);
      this.showText(sorted.has(this.texts.shown) ? this.texts.shown : first);
    }
  }

  /** Takes the result as observed: all of it is ready, but for `notReady`. */
  observe(notReady?: Resource): void {
    const { answer } = this.store.state;
    if (answer) {
      const readiness = notReady ? `where ${notReady.name} is not ready` : 'all ready';
      this.#bring({ observed: observedOf(answer, notReady) }, `Observed has the result now, ${readiness}`, true);
      this.showText('observed', 'views');
    }
  }

  /** Empties all texts, and removes the draft from this machine. */
  clear(): void {
    const undo = this.#undo();
    this.#open({ texts: {}, text: 'manifest', view: 'result' });
    this.store.set({ selection: NOTHING, selectedBy: '', filters: {}, draft: 'none' });
    this.#address.write('');
    forgetDraft();
    this.texts.view.focus();
    this.#offer('All texts are cleared', undo);
  }

  /** Opens the draft of this browser tab, or the texts of the link where it came from elsewhere. */
  async begin(): Promise<void> {
    const draft = readDraft();
    if (draft) {
      this.#open(draft);
      this.#desk.claim();
    }
    await this.reopen(draft?.fragment);
    this.#address.keep();
  }

  /** Opens the texts in the address of the page, unless they are those of `known`, and shows what it says. */
  async reopen(known?: string): Promise<void> {
    const address = this.#address.now;
    const reading = address.packed === known ? undefined : fromFragment(address.packed);
    const shared = await this.#attempt('This link cannot be read', Promise.resolve(reading));
    if (shared) {
      const undo = this.#desk.wouldLose(whole(shared.texts)) ? this.#undo() : undefined;
      this.#open(shared);
      if (undo) {
        this.#offer('The texts are those of the link now', undo);
      }
    }
    this.#address.follow(address);
  }

  /** The texts, and what is shown of them. */
  #snapshot(): Shared {
    const { text, view, clock, settled } = this.store.state;
    return { texts: this.#desk.filled, text, view, ...(clock !== '' && { clock }), ...(settled && { settled }) };
  }

  #draft(): Draft | undefined {
    const all = this.#snapshot();
    const isEmpty = Object.keys(all.texts).length === 0;
    return isEmpty ? undefined : { ...all, fragment: this.#address.now.packed };
  }

  #open({ texts, text, view, clock = '', settled = false }: Shared): void {
    this.#replace(whole(texts));
    this.setClock(clock);
    this.assume(settled);
    this.store.set({ view });
    this.showText(TEXT_NAMES.find((name) => name === text) ?? 'manifest');
  }

  /** Replaces texts. Where something is lost that somebody wrote, a message says so and lets them undo it; with `always` it says so anyway. */
  #bring(texts: Content, said: string, always = false): void {
    const undo = this.#desk.wouldLose(texts) ? this.#undo() : undefined;
    this.#replace(texts);
    if (undo) {
      this.#offer(said, undo);
    } else if (always) {
      this.say(said);
    }
  }

  #replace(texts: Content): void {
    this.#isNew ||= texts.manifest !== undefined && texts.manifest !== this.texts.text('manifest');
    this.#desk.replace(texts);
  }

  /** What brings back the texts as they are now. */
  #undo(): () => void {
    const [before, back] = [this.#snapshot(), this.#desk.note()];
    return () => {
      this.#open(before);
      back();
      this.texts.view.focus();
    };
  }

  // Telling people.

  say(text: string): void {
    this.store.set({ notice: { gravity: 'info', text } });
  }

  complain(text: string): void {
    this.store.set({ notice: { gravity: 'error', text } });
  }

  /** Says what has happened, and lets people undo it. */
  #offer(text: string, undo: () => void): void {
    const run = () => {
      this.store.set({ notice: undefined });
      undo();
    };
    this.store.set({ notice: { gravity: 'info', text, action: { title: 'Undo', run } } });
  }

  /** Copies a link to the current texts. */
  async share(): Promise<void> {
    this.#address.write(await toFragment(this.#snapshot()));
    this.#keeper.changed();
    const size = location.href.length;
    const advice = size > 8_000 ? `; it has ${Math.ceil(size / 1000)} kB, which some programs cut off` : '';
    const copied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    this.say(`${copied ? 'The link is copied' : 'The link is in the address bar'}${advice}`);
  }

  /** Copies a text. */
  async copy(text: string, said: string): Promise<void> {
    const copied = await this.#attempt(
      'it cannot be copied',
      navigator.clipboard.writeText(text).then(() => true),
    );
    if (copied) {
      this.say(said);
    }
  }

  /** Saves a part of the result as a file. */
  async saveCopy(text: string, name: string): Promise<void> {
    const saved = await this.#attempt('the file cannot be saved', saveText(text, name));
    if (saved) {
      this.say(`Saved as ${saved.name}`);
    }
  }

  async #attempt<T>(what: string, doing: Promise<T>): Promise<T | undefined> {
    try {
      return await doing;
    } catch (error) {
      this.complain(`${what}: ${words(error)}`);
      return undefined;
    }
  }
}

/** All texts: those that are not given are empty. */
function whole(texts: Record<string, string>): Content {
  return Object.fromEntries(TEXT_NAMES.map((name) => [name, texts[name] ?? '']));
}

/** The composite that a line of a text is of, with those below it: documents are there in the order of their lines. */
function familyAt(answer: Answer | undefined, text: number, line: number): Family | undefined {
  return answer?.families.findLast(({ origin }) => origin.text === text && origin.line <= line);
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
