/** The bar over a comparison: what the result is compared with, how many changes there are, and ways from one to the next. */

import type { App } from '../app.ts';
import { capital, count, fill, h, icon } from '../dom.ts';
import type { Output } from '../editor/output.ts';
import { titleOf } from '../render/object.ts';
import { objectOf } from '../selection.ts';
import { type Section, sectionAt } from '../sheet.ts';
import type { State } from '../state.ts';
import { type Item, menu } from './menu.ts';

/** The bar, and what draws it. */
export function comparisonBar(app: App, output: Output): { element: HTMLElement; draw(state: State): void } {
  const about = h('span', { id: 'compared-with' });
  const number = h('span', { id: 'changes', role: 'status' });
  const objects = h('select', {
    id: 'changed-objects',
    'aria-label': 'Go to a changed object',
    onchange: () => output.reveal(Number(objects.value)),
  });
  const button = (id: string, title: string, run: () => void) =>
    h(
      'button',
      { type: 'button', id, class: 'icon-button', 'aria-label': title, title, onclick: run },
      icon('chevron'),
    );
  const previous = button('previous-change', 'Previous change', () => output.previousChange());
  const next = button('next-change', 'Next change', () => output.nextChange());
  const choose = h('button', { type: 'button', id: 'do-baseline', class: 'quiet' }, 'Compare with…');
  const element = h(
    'div',
    { class: 'filter comparison', hidden: true },
    about,
    number,
    previous,
    next,
    objects,
    h('div', { class: 'anchor' }, choose),
  );
  menu(choose, () => baselines(app));
  const draw = ({ comparing, baseline, previous: before, sheet }: State) => {
    element.hidden = !comparing;
    if (!comparing) {
      return;
    }
    const lines = output.changes;
    /** The first change of each object. */
    const changed = new Map<Section, number>();
    for (const line of lines) {
      const section = sectionAt(sheet, line + 1);
      if (section && !changed.has(section)) {
        changed.set(section, line);
      }
    }
    about.textContent =
      baseline === undefined && before === undefined
        ? 'There is no earlier result yet'
        : `Compared with ${baseline?.title ?? 'the previous result'}`;
    number.textContent =
      lines.length === 0 ? 'no changes' : `${count(lines.length, 'change')} in ${count(changed.size, 'object')}`;
    fill(
      objects,
      h('option', { value: '' }, 'Changed objects'),
      ...[...changed].map(([section, line]) => h('option', { value: line }, titleOf(objectOf(section)))),
    );
    objects.hidden = changed.size === 0;
    next.hidden = previous.hidden = lines.length === 0;
  };
  return { element, draw };
}

/** What a result can be compared with. */
export function baselines(app: App): (Item | string)[] {
  const { examples, baseline } = app.store.state;
  return [
    'Compare with',
    {
      title: 'This result, from now on',
      detail: baseline ? `instead of ${baseline.title}` : 'it stays while you edit',
      run: () => app.pin(),
    },
    { title: 'The previous result', detail: 'that before the last edit', run: () => app.unpin() },
    { title: 'A file…', run: () => app.pinFile() },
    { title: 'A link of this page, from the clipboard', run: () => app.pinLink() },
    'An example',
    ...examples.map(
      (example): Item => ({
        title: capital(example.title),
        detail: `${example.kind} · ${example.name}.yaml`,
        run: () => app.pinTexts(`${example.name}.yaml`, { manifest: example.text }),
      }),
    ),
  ];
}
