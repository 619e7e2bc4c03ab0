/** Where the views are: their tabs, their panels, and the buttons below on a narrow screen. */

import type { App } from '../app.ts';
import { byId, fill, h, icon } from '../dom.ts';
import type { State } from '../state.ts';
import { tabs } from './tabs.ts';
import type { View } from './view.ts';
import { VIEWS } from './views.ts';

/** From this width on, a view of each zone is in sight. */
const WIDE = '(min-width: 1600px)';

export function stage(app: App): void {
  const { store } = app;
  const width = matchMedia(WIDE);
  const measure = () => store.set({ wide: width.matches });
  width.addEventListener('change', measure);
  measure();

  for (const view of VIEWS) {
    mount(app, view);
  }
  const drawTabs = tabs(
    byId('view-tabs'),
    VIEWS.map(({ name, title }) => ({ name, title, panel: `view-${name}` })),
    (name) => app.showView(name),
  );
  const bottom = [{ name: 'texts', title: 'Texts', icon: 'text' }, ...VIEWS].map(({ name, title, icon: picture }) => {
    const show = () => (name === 'texts' ? app.showTexts() : app.showView(name));
    return h('button', { type: 'button', 'data-view': name, onclick: show }, icon(picture), title);
  });
  fill(byId('bottom'), ...bottom);

  store.watch(['answer', 'sheet', 'problems', 'view', 'details', 'pane', 'wide'], (state) => {
    const absent = new Set(VIEWS.filter((view) => view.isThere?.(state) === false).map(({ name }) => name));
    const current = state.wide ? detailed(state).name : state.view;
    drawTabs(
      current,
      (name) => VIEWS.find((view) => view.name === name)?.badge?.(state),
      (name) => absent.has(name) || (state.wide && zoneOf(name) !== 'details'),
    );
    if (!VIEWS.some(({ name }) => name === state.view) || (state.answer && absent.has(state.view))) {
      store.set({ view: 'result' }); // it has no tab either
      return;
    }
    if (zoneOf(state.view) === 'details' && state.details !== state.view) {
      store.set({ details: state.view });
      return;
    }
    for (const view of VIEWS) {
      byId(`view-${view.name}`).hidden = !isShown(state, view);
    }
    byId('main').dataset['pane'] = state.pane;
    byId('stage').classList.toggle('zones', state.wide);
    for (const button of bottom) {
      const name = button.dataset['view'] ?? '';
      button.hidden = absent.has(name);
      const own = name === (state.pane === 'texts' ? 'texts' : state.view);
      own ? button.setAttribute('aria-current', 'page') : button.removeAttribute('aria-current');
    }
  });
}

/** Whether a view is in sight. */
export function isShown(state: Pick<State, 'view' | 'wide' | 'details'>, { name, zone }: View): boolean {
  return state.wide && zone !== 'details' ? true : name === (state.wide ? state.details : state.view);
}

function mount(app: App, view: View): void {
  const panel = h('div', { id: `view-${view.name}`, class: 'view', role: 'tabpanel', 'data-zone': view.zone });
  byId('stage').append(panel);
  const draw = view.mount(app, panel);
  app.store.watch([...view.draws, 'view', 'wide', 'details'], (state) => {
    if (isShown(state, view)) {
      panel.hidden = false; // what is measured while it is drawn has a size
      draw(state);
    }
  });
}

function detailed({ details }: State): View {
  return VIEWS.find(({ name }) => name === details) ?? (VIEWS[0] as View);
}

function zoneOf(name: string): View['zone'] | undefined {
  return VIEWS.find((view) => view.name === name)?.zone;
}
