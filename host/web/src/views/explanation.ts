/** Why the selected field has its value. It stays in sight until something else is selected. */

import type { App } from '../app.ts';
import { byId, fill, h, icon } from '../dom.ts';
import type { Derivation, Family } from '../render/answer.ts';
import { marked } from '../schema/describe.ts';
import { derivationOf, selectedIn } from '../selection.ts';

export function explanation(app: App): void {
  const panel = byId('explanation');
  app.store.watch(['answer', 'selection', 'view', 'wide'], ({ answer, selection, view, wide }) => {
    const found = selectedIn(answer, selection);
    const derivation = found && derivationOf(found, selection);
    panel.hidden = !derivation || wide || view === 'why'; // there it stands anyway
    fill(
      panel,
      ...(found && derivation && !panel.hidden
        ? [
            h(
              'div',
              { class: 'explanation-words' },
              h(
                'p',
                {},
                h('code', { class: 'why-path' }, shortened(derivation.path)),
                ' ',
                h('code', { class: 'why-value' }, derivation.value),
              ),
              h('p', {}, ...marked(derivation.because)),
              causes(app, found.family, derivation),
            ),
            h(
              'button',
              {
                type: 'button',
                class: 'icon-button',
                'aria-label': 'Close the explanation',
                onclick: () => app.select({ ...selection, field: '' }, 'explanation'),
              },
              icon('remove'),
            ),
          ]
        : []),
    );
  });
}

/** The beginning of paths inside a wrapped object. It is not shown. */
const MANIFEST = 'spec.forProvider.manifest.';

/** A path as people read it. */
export function shortened(path: string): string {
  return path.startsWith(MANIFEST) ? path.slice(MANIFEST.length) : path;
}

/** The fields that a value depends on. Each leads to its place in a text. */
export function causes(app: App, family: Family, { causes }: Derivation): HTMLElement | false {
  return causes.length > 0 && h('p', { class: 'why-causes' }, ...causes.map((cause) => chip(app, family, cause)));
}

function chip(app: App, family: Family, cause: string): HTMLElement {
  const origin = app.origins?.of(family, cause);
  return origin
    ? h(
        'button',
        { type: 'button', class: 'chip', onclick: () => app.go(origin) },
        cause,
        h('span', { class: 'place' }, `line ${origin.line}`),
      )
    : h(
        'span',
        { class: 'chip chip-unset', title: 'it is not written, so its default counts' },
        cause,
        h('span', { class: 'place' }, 'not set'),
      );
}
