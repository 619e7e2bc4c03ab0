/** What an empty text of options can begin with: the options of an API, each as it is by default. */

import type { App } from '../app.ts';
import { byId, fill, h } from '../dom.ts';
import { marked } from '../schema/describe.ts';
import { type Template, templatesOf } from '../templates.ts';

export function templates(app: App): void {
  let all: Template[] = [];
  const box = byId('templates');
  app.store.watch(['modules'], () => {
    all = [...templatesOf(app.kinds('options')).values()];
    fill(
      box,
      h('p', {}, 'Begin with all options of an API. They are as by default, so the result stays the same.'),
      h('ul', { class: 'cards' }, ...all.map((template) => h('li', {}, card(app, template)))),
    );
  });
  app.store.watch(['text', 'filled', 'modules'], ({ text, filled }) => {
    box.hidden = text !== 'options' || filled.has('options') || all.length === 0;
  });
}

function card(app: App, template: Template): HTMLElement {
  return h(
    'button',
    { type: 'button', class: 'card', onclick: () => app.useTemplate(template) },
    h('b', {}, template.section),
    h('span', {}, ...marked(template.about)),
  );
}
