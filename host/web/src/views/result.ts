/** The result as YAML. Each line is linked with the source line that caused it. */

import type { App } from '../app.ts';
import { byId, h } from '../dom.ts';
import { mark } from '../editor/marks.ts';
import { Output } from '../editor/output.ts';
import { marked } from '../schema/describe.ts';

export function result(app: App): Output {
  const { store } = app;
  const output = new Output(byId('output'), {
    explain: (line) => explanation(app, line),
    follow: (line) => {
      const origin = app.origins?.ofLine(line);
      if (origin) {
        app.go(origin);
      }
    },
    pointed: (line) => markSource(app, line),
  });
  store.watch(['sheet', 'view'], ({ sheet, view }) => {
    if (view === 'result') {
      output.show(sheet.text, [...sheet.links.keys()], sheet.folds); // otherwise drawn when the view is opened
    }
  });
  store.watch(['comparing', 'previous'], ({ comparing, previous }) => output.compare(comparing ? previous : undefined));
  return output;
}

/** Marks the lines of the result that a source line causes. */
export function markCaused(app: App, output: Output, line: number | undefined): void {
  const { text, outdated } = app.store.state;
  output.mark(line === undefined || outdated ? [] : (app.origins?.causedBy(text, line) ?? []));
}

/** Marks the source line that causes a line of the result. */
function markSource(app: App, line: number | undefined): void {
  const origin = line === undefined || app.store.state.outdated ? undefined : app.origins?.ofLine(line);
  app.texts.view.dispatch(mark(origin && origin.text === app.texts.shown ? [origin.line] : []));
}

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
