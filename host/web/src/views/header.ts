/** The bar at the top: to open, save and share texts, to add modules, and to choose the theme. */

import type { App } from '../app.ts';
import { byId, capital, count } from '../dom.ts';
import { circumstancesOf, scenesIn } from '../scenes.ts';
import { nextTheme, watchTheme } from '../theme.ts';
import { aboutItems } from './about.ts';
import { type Item, menu } from './menu.ts';
import { openShortcuts } from './shortcuts.ts';
import { withResult } from './status.ts';

export function header(app: App): void {
  const actions: Record<string, () => void> = {
    open: () => app.open(),
    save: () => app.save(),
    share: () => app.share(),
    theme: nextTheme,
    shortcuts: openShortcuts,
  };
  for (const [name, run] of Object.entries(actions)) {
    byId(`do-${name}`).addEventListener('click', run);
  }
  menu(byId('do-examples'), () => examples(app));
  menu(byId('do-modules'), () => modules(app));
  menu(byId('do-about'), () => aboutItems(app));
  menu(byId('do-more'), () => [
    { title: 'Open a file…', icon: 'open', run: () => app.open() },
    { title: 'Save', icon: 'save', run: () => app.save() },
    { title: 'Copy a link', icon: 'share', run: () => app.share() },
    ...ofResult(app),
    { title: 'Change the colours', icon: 'theme', run: nextTheme },
    { title: 'Keyboard shortcuts', icon: 'keyboard', run: openShortcuts },
    ...aboutItems(app),
  ]);
  byId('to-text').addEventListener('click', (event) => {
    event.preventDefault(); // the fragment of the address is for links to texts
    app.showText(app.texts.shown);
    app.texts.view.focus();
  });
  app.store.watch(['modules', 'engine', 'examples'], ({ modules, engine, examples }) => {
    byId<HTMLButtonElement>('do-examples').disabled = examples.length === 0;
    byId<HTMLButtonElement>('do-modules').disabled = engine === 'loading';
    const [first, ...more] = modules;
    const name = first
      ? `${first.title}${more.length > 0 ? ` + ${more.length}` : ''}`
      : engine === 'broken'
        ? 'No component'
        : 'Loading…';
    byId('modules-title').textContent = name;
  });
  watchTheme((name) => {
    const button = byId('do-theme');
    button.setAttribute('aria-label', `Colours: ${name}`);
    button.setAttribute('title', `Colours: ${name}`);
  });
}

/** What a narrow screen has no buttons for. */
function ofResult(app: App): Item[] {
  const { copy, save, observe } = withResult(app);
  return app.store.state.sheet.objects === 0
    ? []
    : [
        { title: 'Copy all objects', icon: 'copy', run: copy },
        { title: 'Save all objects', icon: 'save', run: save },
        { title: 'Take the result as observed', icon: 'observe', run: observe },
      ];
}

/** The scenes, and the catalog's examples by kind. Before the component is there, the examples of a first visit. */
function examples(app: App): (Item | string)[] {
  const { engine, examples } = app.store.state;
  const kinds = [...new Set(examples.map(({ kind }) => kind))];
  const scenes = scenesIn(examples).map(
    (scene): Item => ({ title: scene.title, detail: circumstancesOf(scene), run: () => app.useScene(scene) }),
  );
  const ofKinds = kinds.flatMap((kind) => [
    kind,
    ...examples
      .filter((example) => example.kind === kind)
      .map(
        (example): Item => ({
          title: capital(example.title),
          detail: `${example.name}.yaml`,
          run: () => app.useExample(example),
        }),
      ),
  ]);
  if (engine !== 'running') {
    return [...ofKinds, 'All others follow when the component is there'];
  }
  return scenes.length === 0 ? ofKinds : ['Scenes', ...scenes, ...ofKinds];
}

function modules(app: App): (Item | string)[] {
  const { modules } = app.store.state;
  return [
    'Composition modules',
    ...modules.map(
      ({ name, title, kinds, builtIn }): Item => ({
        title: builtIn ? title : `${title}, from ${name}`,
        detail: `${count(kinds.length, 'kind')}: ${kinds.join(', ')}${builtIn ? '' : ' · press to remove'}`,
        icon: builtIn ? 'module' : 'remove',
        run: () =>
          builtIn ? app.say(`${title} is built in; it composes ${kinds.join(', ')}`) : app.removeModule(name),
      }),
    ),
    {
      title: 'Add a component…',
      detail: 'A .wasm file; it stays on this computer',
      icon: 'add',
      run: () => app.chooseComponent(),
    },
  ];
}
