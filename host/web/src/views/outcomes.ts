/** The conditions of the composites, and the results of the pipeline. */

import type { App } from '../app.ts';
import { byId, count, fill, h, icon } from '../dom.ts';
import type { Composite } from '../render/answer.ts';
import { titleOf } from '../render/object.ts';
import { marked } from '../schema/describe.ts';

/** The largest number of composites with conditions. Further ones are only counted. */
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
      return; // most keystrokes change nothing here, and a comparison is faster than drawing
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
  // Warnings come first; conditions without a message are on one line.
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

/** `warned`: a warning has the same message. For some conditions, `True` means a problem. */
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
