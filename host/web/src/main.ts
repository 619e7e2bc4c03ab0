import './style/page.css';

import { App } from './app.ts';
import { byId } from './dom.ts';
import { Texts } from './editor/texts.ts';
import { keepFocus } from './focus.ts';
import { createStore } from './state.ts';
import { about } from './views/about.ts';
import { assume } from './views/assume.ts';
import { clock } from './views/clock.ts';
import { draft } from './views/draft.ts';
import { drop } from './views/drop.ts';
import { explanation } from './views/explanation.ts';
import { header } from './views/header.ts';
import { outcomes } from './views/outcomes.ts';
import { print } from './views/print.ts';
import { problems } from './views/problems.ts';
import { shortcuts } from './views/shortcuts.ts';
import { source } from './views/source.ts';
import { splitter } from './views/splitter.ts';
import { stage } from './views/stage.ts';
import { status } from './views/status.ts';
import { templates } from './views/templates.ts';
import { waiting } from './views/waiting.ts';

const app = new App(createStore());
app.texts = new Texts(byId('editor'), {
  changed: (name) => app.changed(name),
  kinds: (name) => app.kinds(name),
  pointed: (line) => app.pointAt(line),
  moved: (line) => app.cursorAt(line),
});
for (const part of [
  header,
  about,
  problems,
  clock,
  draft,
  templates,
  assume,
  stage,
  status,
  waiting,
  explanation,
  source,
  outcomes,
  shortcuts,
  drop,
  print,
]) {
  part(app);
}
splitter();
keepFocus(app);
for (const part of document.querySelectorAll('[inert]')) {
  part.removeAttribute('inert'); // from here on its buttons do something
}

addEventListener('hashchange', () => app.reopen());
await app.begin();
await app.load();
