/** Fields that say what of a view is shown. Their values are in the state, and so in the address of the page. */

import type { App } from '../app.ts';
import { fill, h } from '../dom.ts';
import type { State } from '../state.ts';

/** A field of a filter. */
export interface Field {
  element: HTMLElement;
  /** Shows the value that the state has. */
  draw(filters: State['filters']): void;
}

/** A list of options to choose from. */
export interface Choice extends Field {
  /** Offers these options. The first one is the value without a choice. */
  offer(options: [value: string, title: string][]): void;
}

/** A field to search with. `name` is that of the view and of the filter: `outline.find`. */
export function search(app: App, name: string, words: string, label: string): Field {
  const element = h('input', {
    id: name.replace('.', '-'),
    type: 'search',
    placeholder: words,
    'aria-label': label,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => app.filter(name, element.value),
  });
  const draw = (filters: State['filters']) => {
    if (element.value !== (filters[name] ?? '')) {
      element.value = filters[name] ?? '';
    }
  };
  return { element, draw };
}

export function choice(app: App, name: string, title: string): Choice {
  const list = h('select', { id: name.replace('.', '-'), onchange: () => app.filter(name, list.value) });
  let offered = '';
  const draw = (filters: State['filters']) => {
    const value = filters[name] ?? '';
    list.value = [...list.options].some((option) => option.value === value) ? value : (list.options[0]?.value ?? '');
  };
  return {
    element: h('label', {}, h('span', {}, title), list),
    draw,
    offer: (options) => {
      const key = JSON.stringify(options);
      if (offered !== key) {
        offered = key;
        fill(list, ...options.map(([value, title]) => h('option', { value }, title)));
        draw(app.store.state.filters);
      }
    },
  };
}
