/** The conditions of the composites, and the results of the pipeline: of those that are selected, or of all. */

import type { App } from '../app.ts';
import { byId, count, h, icon } from '../dom.ts';
import type { Composite, Event } from '../render/answer.ts';
import { titleOf } from '../render/object.ts';
import { marked } from '../schema/describe.ts';
import { type Found, selectedIn, selectionOf } from '../selection.ts';
import { type Block, Blocks } from './blocks.ts';

/** The largest number of composites with conditions. Further ones are only counted. */
const MOST = 20;

/** What Crossplane says of a resource that is not ready. */
const NOT_YET = /^Composed resource "(.+)" is not yet ready$/;
/** The views that say themselves what is against what they show. */
const ELSEWHERE: ReadonlySet<string> = new Set(['fleet', 'budget', 'plan']);
/** The most names of such resources. */
const MOST_NAMES = 8;

export function outcomes(app: App): void {
  const list = new Blocks(byId('outcomes-list'));
  app.store.watch(['view'], ({ view }) => byId('outcomes').classList.toggle('elsewhere', ELSEWHERE.has(view)));
  app.store.watch(['answer', 'selection'], ({ answer, selection }) => {
    const selected = selectedIn(answer, selection)?.composite;
    const all = (answer?.families ?? []).flatMap((family) =>
      family.composites.map((composite): Found => ({ family, composite })),
    );
    const found = selected ? all.filter(({ composite }) => composite === selected) : all;
    const composites = found.map(({ composite }) => composite);
    const warnings = composites.flatMap(({ events }) => events).filter(({ severity }) => severity === 'warning').length;
    const conditions = composites.reduce((sum, composite) => sum + composite.conditions.length, 0);
    byId('outcomes').hidden = composites.length === 0;
    byId('outcomes-title').textContent =
      `${count(conditions, 'condition')}${warnings > 0 ? `, ${count(warnings, 'warning')}` : ''}`;
    const titled = composites.length > 1 || selected !== undefined;
    const blocks = found.slice(0, MOST).map((one): Block => {
      const { object, conditions, events, lookups } = one.composite;
      const key = JSON.stringify([titled && titleOf(object), conditions, events, lookups]);
      return { key, draw: () => block(one.composite, titled, () => app.select(selectionOf(one), 'link')) };
    });
    const more = composites.length - MOST;
    if (more > 0) {
      const words = `and those of ${count(more, 'more composite')}`;
      blocks.push({ key: words, draw: () => h('p', { class: 'more' }, words) });
    }
    list.show(blocks);
  });
}

function block(composite: Composite, titled: boolean, select: () => void): HTMLElement {
  // Warnings come first; conditions without a message are on one line.
  const of = (wanted: string) => composite.events.filter(({ severity }) => severity === wanted);
  const events = [...of('warning'), ...together(of('normal'))];
  const spoken = composite.conditions.filter(({ message }) => message !== '');
  const silent = composite.conditions.filter(({ message }) => message === '');
  const warned = new Set(of('warning').map(({ message }) => message));
  return h(
    'div',
    { class: 'outcome' },
    titled && h('h2', {}, h('button', { type: 'button', onclick: select }, titleOf(composite.object))),
    events.length > 0 && h('ul', { class: 'events' }, ...events.map(event)),
    h('ul', { class: 'conditions' }, ...[...spoken, ...silent].map((it) => condition(it, warned.has(it.message)))),
    composite.lookups.length > 0 && h('p', { class: 'muted' }, `Looked up ${composite.lookups.join('; ')}`),
  );
}

/** What Crossplane says of each resource that is not ready, in one line. */
function together(events: Composite['events']): Composite['events'] {
  const waiting = events.filter(({ message }) => NOT_YET.test(message));
  if (waiting.length < 2) {
    return events;
  }
  const names = waiting.map(({ message }) => NOT_YET.exec(message)?.[1] ?? '');
  const more = names.length - MOST_NAMES;
  const message = `${names.length} composed resources are not yet ready: ${names.slice(0, MOST_NAMES).join(', ')}${
    more > 0 ? ` and ${more} more` : ''
  }`;
  return [...events.filter((event) => !waiting.includes(event)), { ...(waiting[0] as Event), message }];
}

/** `warned`: a warning has the same message. For some conditions, `True` means a problem. */
export function condition(
  { type, status, reason, message }: Composite['conditions'][number],
  warned: boolean,
): HTMLElement {
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
