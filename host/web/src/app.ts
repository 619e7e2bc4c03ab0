/** The actions of the page. Every action changes the store, from which the views are drawn. */

import { secondsOf } from './clock.ts';
import type { Output } from './editor/output.ts';
import { applyFix, type Problem, placed, underline } from './editor/problems.ts';
import { TEXT_NAMES, TEXTS, type TextName, type Texts } from './editor/texts.ts';
import { Engine, type Outcome } from './engine/engine.ts';
import { loadBrought, loadBuiltIn } from './engine/load.ts';
import type { Module } from './engine/module.ts';
import { type Opened, openComponent, openText, saveText } from './files.ts';
import { type Origin, Origins } from './origins.ts';
import type { Printed } from './render/answer.ts';
import { requestOf } from './request.ts';
import { type Kinds, kindsOf } from './schema/schema.ts';
import { fromFragment, toFragment } from './share.ts';
import { sheetOf } from './sheet.ts';
import { type AppStore, type Example, VIEWS, type ViewName } from './state.ts';

/** A result is compared with the last one that stood this long, because shorter ones appear while the user types. */
const SETTLED_MILLIS = 1_500;

export class App {
  readonly store: AppStore;
  /** Set when the editor exists. The editor itself needs this object. */
  texts!: Texts;
  output!: Output;
  origins: Origins | undefined;
  #kinds: { composites: Kinds; options: Kinds } = { composites: new Map(), options: new Map() };
  readonly #files = new Map<TextName, Pick<Opened, 'name' | 'handle'>>();
  readonly #engine: Engine<{ revision: number }>;
  #revision = 0;
  #shownAt = 0;

  constructor(store: AppStore) {
    this.store = store;
    this.#engine = new Engine((outcome) => this.#show(outcome));
  }

  // The component.

  /** Loads the built-in component. */
  async load(): Promise<void> {
    this.store.set({ engine: 'loading' });
    try {
      this.#add(await loadBuiltIn());
    } catch (error) {
      this.store.set({ engine: 'broken', failures: [{ module: 'built in', why: words(error) }] });
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
      modules: modules.map(({ name, contents }, index) => ({
        name,
        title: `${contents.name} ${contents.version}`,
        kinds: contents.kinds.map(({ kind }) => kind.kind),
        builtIn: index === 0,
      })),
      examples: kinds.flatMap(({ kind, examples }) =>
        examples.map((example): Example => ({ kind: kind.kind, ...example })),
      ),
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

  /** Previews the current texts. */
  run(): void {
    this.#revision++;
    if (this.store.state.engine !== 'running') {
      return;
    }
    this.store.set({ busy: true });
    const { clock, settled } = this.store.state;
    const request = requestOf((name) => this.texts.text(name), this.#engine.kinds, {
      now: secondsOf(clock),
      settled,
    });
    this.#engine.preview({ request, about: { revision: this.#revision } });
  }

  #show({ asked, answer, failures, millis }: Outcome<{ revision: number }>): void {
    if (asked.revision !== this.#revision) {
      return;
    }
    const { state } = this.store;
    const problems = placed(answer.diagnostics, this.texts);
    const failed = failures.length > 0 && answer.families.length === 0;
    const wrong = problems.some(({ diagnostic }) => diagnostic.gravity === 'error');
    const nothing = answer.families.length === 0;
    underline(problems, this.texts);
    if (nothing && (failed || wrong) && state.answer) {
      // The last good result stays visible while the user corrects the text.
      this.store.set({ busy: false, outdated: true, problems, failures, millis });
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
      busy: false,
      outdated: false,
      answer: nothing && answer.places.length === 0 ? undefined : answer,
      view: answer.places.length === 0 && state.view === 'fleet' ? 'result' : state.view,
      sheet,
      problems,
      failures,
      millis,
      ...(settled && { previous: state.sheet.text }),
    });
  }

  // Looking around.

  showText(text: TextName): void {
    this.texts.show(text);
    this.store.set({ text, pane: 'texts' });
  }

  showView(view: ViewName): void {
    if (view === 'fleet' && this.store.state.answer?.places.length === 0) {
      return; // it has no tab either
    }
    this.store.set({ view, pane: 'views' });
  }

  showTexts(): void {
    this.store.set({ pane: 'texts' });
  }

  compare(comparing: boolean): void {
    this.store.set({ comparing });
  }

  /** Shows an object in the result. */
  reveal(object: Printed): void {
    const { sections } = this.store.state.sheet;
    const found = sections.find(({ composite, resource }) => (resource?.object ?? composite.object) === object);
    if (found) {
      this.showView('result');
      this.output.mark([found.line - 1], true);
    }
  }

  /** Selects the place of a cause. */
  go({ text, from, to }: Origin): void {
    this.showText(text);
    this.texts.go(text, from, to);
  }

  goToProblem({ text, span }: Problem): void {
    this.showText(text);
    this.texts.go(text, span.from, span.to);
  }

  fix(problem: Problem): void {
    this.showText(problem.text);
    if (!applyFix(this.texts.view, problem)) {
      this.complain('the text has changed since; there is nothing to fix in that place');
    }
    this.texts.view.focus();
  }

  // Texts from elsewhere.

  useExample({ text }: Example): void {
    this.#replace('manifest', text);
    this.texts.show('manifest');
    this.store.set({ text: 'manifest', pane: 'views' });
    this.texts.view.focus();
  }

  async open(): Promise<void> {
    const opened = await this.#attempt('the file cannot be opened', openText());
    if (opened) {
      const name = this.texts.shown;
      this.#replace(name, opened.text);
      this.#files.set(name, opened);
      this.say(`${opened.name} is the ${TEXTS[name].title.toLowerCase()} now`);
    }
  }

  async save(): Promise<void> {
    const name = this.texts.shown;
    const file = this.#files.get(name);
    const saving = saveText(this.texts.text(name), file?.name ?? TEXTS[name].file, file?.handle);
    const saved = await this.#attempt('the file cannot be saved', saving);
    if (saved) {
      this.#files.set(name, saved);
      this.say(`Saved as ${saved.name}`);
    }
  }

  /** Takes dropped files: components, and a text for the visible editor. */
  async drop(files: File[]): Promise<void> {
    for (const component of files.filter(({ name }) => name.endsWith('.wasm'))) {
      await this.bring(component);
    }
    const texts = files.filter(({ name }) => !name.endsWith('.wasm'));
    if (texts.length > 0) {
      const contents = await Promise.all(texts.map((file) => file.text()));
      this.#replace(this.texts.shown, contents.join('\n---\n'));
      this.say(`${texts.map(({ name }) => name).join(', ')}: read into ${TEXTS[this.texts.shown].title}`);
    }
  }

  /** Copies a link to the current texts. */
  async share(): Promise<void> {
    const { text, view, clock, settled } = this.store.state;
    const filled = TEXT_NAMES.map((name) => [name, this.texts.text(name)] as const).filter(
      ([, content]) => content !== '',
    );
    const fragment = await toFragment({
      texts: Object.fromEntries(filled),
      text,
      view,
      ...(clock !== '' && { clock }),
      ...(settled && { settled }),
    });
    history.replaceState(null, '', `#${fragment}`);
    const size = location.href.length;
    const advice = size > 8_000 ? `; it has ${Math.ceil(size / 1000)} kB, which some programs cut off` : '';
    const copied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    this.say(`${copied ? 'The link is copied' : 'The link is in the address bar'}${advice}`);
  }

  /** Opens the texts in the address of the page. */
  async reopen(): Promise<void> {
    try {
      const shared = await fromFragment(location.hash.slice(1));
      if (!shared) {
        return;
      }
      for (const name of TEXT_NAMES) {
        this.#replace(name, shared.texts[name] ?? '');
        this.changed(name); // the editor reports changes of the visible text only
      }
      this.setClock(shared.clock ?? '');
      this.assume(shared.settled ?? false);
      this.store.set({ view: VIEWS.find(({ name }) => name === shared.view)?.name ?? 'result' });
      this.showText(TEXT_NAMES.find((name) => name === shared.text) ?? 'manifest');
    } catch (error) {
      this.complain(`This link cannot be read: ${words(error)}`);
    }
  }

  /** Replaces a text. The new text is not saved to the file of the old one. */
  #replace(name: TextName, text: string): void {
    this.#files.delete(name);
    this.texts.replace(name, text);
  }

  // Telling people.

  say(text: string): void {
    this.store.set({ notice: { gravity: 'info', text } });
  }

  complain(text: string): void {
    this.store.set({ notice: { gravity: 'error', text } });
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

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
