import './style/page.css';

import { App } from './app.ts';
import { byId } from './dom.ts';
import { Texts } from './editor/texts.ts';
import { createStore } from './state.ts';
import { assume } from './views/assume.ts';
import { clock } from './views/clock.ts';
import { drop } from './views/drop.ts';
import { fleet } from './views/fleet.ts';
import { header } from './views/header.ts';
import { outcomes } from './views/outcomes.ts';
import { problems } from './views/problems.ts';
import { markCaused, result } from './views/result.ts';
import { shortcuts } from './views/shortcuts.ts';
import { splitter } from './views/splitter.ts';
import { status } from './views/status.ts';
import { tree } from './views/tree.ts';
import { why } from './views/why.ts';

const app = new App(createStore());
app.texts = new Texts(byId('editor'), {
  changed: (name) => app.changed(name),
  kinds: (name) => app.kinds(name),
  pointed: (line) => {
    markCaused(app, output, line);
    places.pointed(line);
  },
  moved: (line) => places.moved(line),
});
const output = result(app);
app.output = output;
const places = fleet(app);
for (const view of [header, problems, clock, assume, status, tree, why, outcomes, shortcuts, drop]) {
  view(app);
}
splitter();

addEventListener('hashchange', () => app.reopen());
await app.reopen();
await app.load();
