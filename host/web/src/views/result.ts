/** The result as YAML. Each line is linked with the source line that caused it. */

import type { App } from '../app.ts';
import { h } from '../dom.ts';
import type { Action, Heading } from '../editor/headings.ts';
import { mark } from '../editor/marks.ts';
import { Output } from '../editor/output.ts';
import { applicable, unwrapped } from '../render/apply.ts';
import { keyOf, shownOf } from '../render/object.ts';
import { marked } from '../schema/describe.ts';
import { derivationOf, objectOf, type Selection, selectionOf } from '../selection.ts';
import { type Section, type Sheet, sectionAt, sectionOf, sectionOnCluster } from '../sheet.ts';
import type { State } from '../state.ts';
import { comparisonBar } from './comparison.ts';
import type { View } from './view.ts';

export const result: View = {
  name: 'result',
  title: 'Result',
  icon: 'result',
  zone: 'details',
  draws: ['sheet', 'selection', 'pointed', 'cursor', 'comparing', 'baseline', 'previous', 'opened'],
  mount: (app, panel) => new Result(app, panel).draw,
};

class Result {
  readonly #app: App;
  readonly #output: Output;
  readonly #bar: ReturnType<typeof comparisonBar>;
  #drawn: Partial<State> = {};
  /** The selection that was brought in sight. One of the address waits for the answer. */
  #followed: Selection | undefined;
  /** Whether the cursor in a text moved after something was selected elsewhere: then what its line causes is marked. */
  #byCursor = false;
  /** What the result is compared with. */
  #original: string | undefined;

  constructor(app: App, panel: HTMLElement) {
    this.#app = app;
    const host = h('div', { id: 'output' });
    this.#output = new Output(host, {
      actions: (line) => actions(app, line),
      explain: (line) => explanation(app, line),
      chosen: (line) => this.#choose(line),
      follow: (line) => {
        this.#choose(line);
        const origin = app.origins?.ofLine(line);
        if (origin) {
          app.go(origin);
          app.texts.view.dispatch({ selection: { anchor: origin.to } }); // the next key adds to it
          app.texts.view.focus();
        }
      },
      pointed: (line) => markSource(app, line),
    });
    this.#bar = comparisonBar(app, this.#output);
    panel.append(this.#bar.element, host);
  }

  readonly draw = (state: State): void => {
    const before = this.#drawn;
    this.#drawn = state;
    const { sheet, selection, selectedBy, pointed, cursor, comparing, baseline, previous, opened } = state;
    if (sheet !== before.sheet) {
      const headings: Heading[] = sheet.sections.map(({ line, composite, resource }) => ({
        line: line - 1,
        ready: (resource ?? composite).ready,
      }));
      headings.push(...sheet.areas.map((line) => ({ line })));
      this.#output.show(sheet.text, sheet.links, sheet.folds, headings);
    }
    const original = comparing ? (baseline?.text ?? previous) : undefined;
    if (original !== this.#original) {
      this.#original = original;
      this.#output.compare(original);
    }
    this.#bar.draw(state);
    const section = sectionOf(sheet, selection) ?? sectionOnCluster(sheet, selection.cluster);
    if (cursor !== before.cursor) {
      this.#byCursor = true;
    } else if (selection !== before.selection && selectedBy !== 'text') {
      this.#byCursor = false;
    }
    const caused = causedBy(this.#app, pointed ?? (this.#byCursor ? cursor : undefined));
    this.#output.mark(caused.length > 0 ? caused : section ? [lineOf(section, selection)] : []);
    const isNew = section && selection !== this.#followed && selectedBy !== 'result';
    if (section) {
      this.#followed = selection;
    }
    if (isNew && !(selectedBy === 'text' && this.#isInSight(section))) {
      this.#output.reveal(lineOf(section, selection));
    } else if (cursor !== before.cursor && caused[0] !== undefined && !caused.some((line) => this.#output.has(line))) {
      this.#output.reveal(caused[0]);
    } else if (opened !== before.opened) {
      const first = sheet.sections[1]; // the composite itself is what the user wrote
      first && this.#output.scrollTo(first.line - 1);
    }
  };

  /** Whether what the document of an object becomes is in sight. */
  #isInSight({ family }: Section): boolean {
    return sectionAt(this.#app.store.state.sheet, this.#output.first)?.family === family;
  }

  #choose(line: number): void {
    const { sheet } = this.#app.store.state;
    const section = sectionAt(sheet, line);
    if (section) {
      this.#app.select(selectionOf(section, sheet.links.get(line)?.derivation.path), 'result');
      this.#output.keep(line); // the reason takes its room below
    }
  }
}

/** What can be done with the object below a heading. */
function actions(app: App, line: number): Action[] {
  const section = sectionAt(app.store.state.sheet, line);
  if (!section) {
    return [];
  }
  const { resource } = section;
  const object = objectOf(section);
  const { kind, name } = shownOf(object);
  const own = applicable(object.text);
  const file = `${name.split('/').at(-1)}-${kind.toLowerCase()}.yaml`;
  const copy = (title: string, text: string, what: string): Action => ({
    title,
    what: `Copy ${what}, as kubectl apply takes it`,
    run: () => app.copy(`${text}\n`, `${what} is copied`),
  });
  return [
    ...(object.wraps ? [copy(`Copy ${kind}`, unwrapped(own), keyOf({ kind, name }))] : []),
    copy(`Copy${object.wraps ? ` ${object.kind}` : ''}`, own, keyOf(object)),
    { title: 'Save', what: `Save ${keyOf(object)} as a file`, run: () => app.saveCopy(`${own}\n`, file) },
    ...(resource
      ? [
          {
            title: 'Not ready',
            what: 'Take everything as observed and ready, but not this one',
            run: () => app.observe(resource),
          },
        ]
      : []),
  ];
}

/** All objects, as kubectl apply takes them. */
export function everything({ sections }: Sheet): string {
  return `${sections.map((section) => applicable(objectOf(section).text)).join('\n---\n')}\n`;
}

/** The line of the selected field, or the heading of the object. */
function lineOf(section: Section, selection: Selection): number {
  const line = derivationOf(section, selection)?.line;
  return line === undefined ? section.line - 1 : section.line + line;
}

function causedBy(app: App, line: number | undefined): number[] {
  const { text, outdated } = app.store.state;
  return outdated || line === undefined ? [] : (app.origins?.causedBy(text, line) ?? []);
}

/** Marks the source line that causes a line of the result. */
function markSource(app: App, line: number | undefined): void {
  const origin = line === undefined || app.store.state.outdated ? undefined : app.origins?.ofLine(line);
  app.texts.view.dispatch(mark(origin && origin.text === app.texts.shown ? [origin.line] : []));
}

/** Why a line is what it is, beside the pointer. */
function explanation(app: App, line: number): HTMLElement | undefined {
  const link = app.store.state.sheet.links.get(line);
  if (!link) {
    return undefined;
  }
  const { because, causes } = link.derivation;
  const origins = causes.map((cause) => {
    const origin = app.origins?.of(link.family, cause);
    return `\`${cause}\`${origin ? ` (line ${origin.line})` : ' (not set)'}`;
  });
  return h(
    'div',
    { class: 'why-tip' },
    h('p', {}, ...marked(because)),
    origins.length > 0 && h('p', { class: 'muted' }, 'from ', ...marked(origins.join(', '))),
  );
}
