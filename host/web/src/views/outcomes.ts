/** Conditions of the composites, and what the pipeline said. */

import type { App } from '../app.ts';
import { byId, count, fill, h, icon } from '../dom.ts';
import type { Composite } from '../render/answer.ts';
import { titleOf } from '../render/object.ts';
import { marked } from '../schema/describe.ts';

/** Composites whose conditions are shown; more are counted. */
const MOST = 20;

export function outcomes(app: App): void {
  let drawn = '';
  app.store.watch(['answer'], ({ answer }) => {
    const composites = answer?.families.flatMap((family) => family.composites) ?? [];
    const shown = composites
      .slice(0, MOST)
      .map(({ object, conditions, events, lookups }) => [object.name, conditions, events, lookups]);
    const key = JSON.stringify([composites.length, shown]);
    if (key === drawn) {
      return; // most keystrokes change none of it, and drawing it takes longer than comparing
    }
    drawn = key;
    const warnings = composites.flatMap(({ events }) => events).filter(({ severity }) => severity === 'warning').length;
    const conditions = composites.reduce((sum, composite) => sum + composite.conditions.length, 0);
    byId('outcomes').hidden = composites.length === 0;
    byId('outcomes-title').textContent =
      `${count(conditions, 'condition')}${warnings > 0 ? `, ${count(warnings, 'warning')}` : ''}`;
    fill(
      byId('outcomes-list'),
      ...composites.slice(0, MOST).map((composite) => block(composite, composites.length > 1)),
      composites.length > MOST &&
        h('p', { class: 'more' }, `and those of ${count(composites.length - MOST, 'more composite')}`),
    );
  });
}

function block(composite: Composite, titled: boolean): HTMLElement {
  // What needs attention comes first; conditions without a message stand beside each other.
  const of = (wanted: string) => composite.events.filter(({ severity }) => severity === wanted);
  const events = [...of('warning'), ...of('normal')];
  const spoken = composite.conditions.filter(({ message }) => message !== '');
  const silent = composite.conditions.filter(({ message }) => message === '');
  const warned = new Set(of('warning').map(({ message }) => message));
  return h(
    'div',
    { class: 'outcome' },
    titled && h('h3', {}, titleOf(composite.object)),
    events.length > 0 && h('ul', { class: 'events' }, ...events.map(event)),
    h('ul', { class: 'conditions' }, ...[...spoken, ...silent].map((it) => condition(it, warned.has(it.message)))),
    composite.lookups.length > 0 && h('p', { class: 'muted' }, `Looked up ${composite.lookups.join('; ')}`),
  );
}

/** `warned`: a warning says the same. Of some conditions `True` is the bad news. */
function condition({ type, status, reason, message }: Composite['conditions'][number], warned: boolean): HTMLElement {
  const tone = warned ? 'warned' : status.toLowerCase();
  return h(
    'li',
    { class: message === '' ? 'silent' : false },
    h('span', { class: `status status-${tone}` }, `${type}=${status}`),
    ' ',
    h('span', { class: 'reason' }, reason),
    message !== '' && h('span', { class: 'message' }, ' ', ...marked(message)),
  );
}

function event({ severity, message, step }: Composite['events'][number]): HTMLElement {
  return h(
    'li',
    { class: `event event-${severity}` },
    icon(severity === 'warning' ? 'warning' : 'info'),
    h('span', { class: 'hidden' }, `${severity}: `),
    h('span', {}, ...marked(message), step !== '' && h('span', { class: 'muted' }, ` · ${step}`)),
  );
}
