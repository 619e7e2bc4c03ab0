/** What is known of the chosen place, owner, replica or reason, with links between them. */

import type { App } from '../../app.ts';
import { capital, count, h, icon } from '../../dom.ts';
import type { Row } from '../../fleet/arrange.ts';
import { arrange } from '../../fleet/arrange.ts';
import type { Fleet, Owner, Reason, Taker } from '../../fleet/fleet.ts';
import { takenOf } from '../../fleet/fleet.ts';
import { counted, grouped } from '../../render/amount.ts';
import type { Decision, NearMiss, Share } from '../../render/decisions.ts';
import type { Place } from '../../render/places.ts';
import { marked } from '../../schema/describe.ts';
import type { Found } from '../../selection.ts';
import { condition } from '../outcomes.ts';
import { bar, colourOf, shareOf, total } from './bar.ts';
import type { Chosen, Focus } from './focus.ts';

/** The most items of a list. Further ones are only counted. */
const MOST = 200;
/** The most names of candidates with one reason. */
const MOST_NAMES = 40;
/** The most classes with a bar of their own. */
const MOST_CLASSES = 24;

export interface PanelContext {
  app: App;
  fleet: Fleet;
  unit: string;
  select(focus: Focus): void;
  /** Looks for this text. */
  search(words: string): void;
}

type Part = HTMLElement | false;

export function panel(context: PanelContext, chosen: Chosen): Part[] {
  switch (chosen.what) {
    case 'nothing':
      return overview(context);
    case 'place':
      return [back(context), ...ofPlace(context, chosen.name)];
    case 'owner':
      return [back(context), ...ofOwner(context, chosen.owner)];
    case 'taker':
      return [back(context), ...ofTaker(context, chosen.taker)];
    case 'reason':
      return [back(context), ...ofReason(context, chosen.reason)];
  }
}

function overview(context: PanelContext): Part[] {
  const { fleet, unit } = context;
  const { owners } = fleet;
  const classes = arrange(fleet, { unit, groupBy: 'class', search: '' }).filter(
    ({ title, rows }) => title !== '' && rows > 0,
  );
  return [
    owners.length > 0 && h('h2', {}, 'Decisions'),
    list(owners, (owner) => {
      const { decisions } = owner.composite;
      const wanted = decisions.reduce((sum, decision) => sum + decision.wanted, 0);
      const chosen = decisions.reduce((sum, decision) => sum + decision.chosen.length, 0);
      return link(
        () => context.select({ what: 'owner', key: owner.key }),
        swatch(`taker-${owner.colour}`),
        h('span', { class: 'fleet-who' }, owner.composite.object.name),
        owner.missing > 0
          ? h('span', { class: 'fleet-lack' }, icon('warning'), h('span', {}, `${chosen} of ${wanted}`))
          : h('span', { class: 'fleet-number' }, `${chosen} of ${wanted}`),
      );
    }),
    fleet.hasStrangers && h('p', { class: 'fleet-plain muted' }, swatch('taker-other'), 'what no text here composes'),
    classes.length > 0 && h('h2', {}, 'Taken, by class'),
    classes.length > 0 &&
      h(
        'ul',
        { class: 'fleet-list' },
        ...classes
          .slice(0, MOST_CLASSES)
          .map(({ title, size, taken }) =>
            h(
              'li',
              {},
              h(
                'button',
                { type: 'button', class: 'fleet-link tall', onclick: () => context.search(`class=${title}`) },
                h('span', { class: 'fleet-who' }, title),
                h('span', { class: 'fleet-number' }, shareOf(size, taken, unit)),
                total(size, taken),
              ),
            ),
          ),
      ),
  ];
}

function ofPlace(context: PanelContext, name: string): Part[] {
  const { fleet } = context;
  const place = fleet.places.find((each) => each.name === name);
  if (!place) {
    return [];
  }
  const against = fleet.against(name);
  return [
    title(name, place.what),
    place.labels.length > 0 &&
      h(
        'p',
        { class: 'fleet-chips' },
        ...place.labels.map(([key, value]) =>
          h(
            'button',
            { type: 'button', class: 'chip', onclick: () => context.search(`${key}=${value}`) },
            `${key}=${value}`,
          ),
        ),
      ),
    ...counts(place, []).map((row) => ofCount(context, row)),
    against.length > 0 && h('h3', {}, 'Why not here'),
    list(against, ({ owner, decision, passedOver }) =>
      link(
        () => context.select(reasonOf(owner, decision, passedOver.because)),
        swatch(`taker-${owner.colour}`),
        h('span', { class: 'fleet-who' }, owner.composite.object.name),
        h('span', { class: 'fleet-words' }, ...marked(passedOver.because)),
      ),
    ),
  ];
}

/** A place that is counted, and what takes it. What it has inside often counts the same takers, so it is short. */
function ofCount(context: PanelContext, row: Row): HTMLElement {
  const { place, name, size, taken } = row;
  const unit = place.size?.unit ?? '';
  const main = unit === context.unit;
  const label = place.labels.find(([key]) => key === 'class')?.[1];
  return h(
    'div',
    { class: `fleet-count${main ? '' : ' minor'}` },
    h(
      'span',
      { class: 'fleet-row-head' },
      h(
        'span',
        { class: 'fleet-row-name' },
        name || place.what,
        main && label !== undefined && h('span', { class: 'fleet-class' }, label),
      ),
      h('span', { class: `fleet-number${taken > size ? ' over' : ''}` }, shareOf(size, taken, unit)),
    ),
    bar(context.fleet, row, undefined),
    main &&
      list(place.taken, ({ kind, name, value }) => {
        const taker = context.fleet.taker(kind, name);
        return link(
          () => context.select({ what: 'taker', key: taker.key }),
          swatch(colourOf(taker)),
          h('span', { class: 'fleet-who' }, name),
          h('span', { class: 'fleet-number' }, counted({ value, unit })),
        );
      }),
  );
}

function ofOwner(context: PanelContext, owner: Owner): Part[] {
  const { composite } = owner;
  const warned = new Set(
    composite.events.filter(({ severity }) => severity === 'warning').map(({ message }) => message),
  );
  const spoken = composite.conditions.filter(({ message }) => message !== '');
  return [
    title(composite.object.name, composite.object.kind, `taker-${owner.colour}`),
    places(context, owner),
    ...composite.decisions.flatMap((decision) => ofDecision(context, owner, decision)),
    spoken.length > 0 && h('h3', {}, 'Conditions'),
    spoken.length > 0 && h('ul', { class: 'conditions' }, ...spoken.map((it) => condition(it, warned.has(it.message)))),
  ];
}

function ofDecision(context: PanelContext, owner: Owner, decision: Decision): Part[] {
  const { about, wanted, candidates, chosen, passedOver } = decision;
  const takers = new Map(context.fleet.takersOf(owner).map((taker) => [taker.choice, taker]));
  const reasons = [...new Set(chosen.map(({ because }) => because))];
  return [
    h('h3', {}, capital(about)),
    h(
      'p',
      { class: chosen.length < wanted ? 'fleet-lack' : 'fleet-enough' },
      chosen.length < wanted && icon('warning'),
      h('span', {}, `${grouped(chosen.length)} of ${grouped(wanted)}, from ${count(candidates, 'candidate')}`),
    ),
    list(chosen, (choice) => {
      const taker = takers.get(choice);
      const words = h('span', { class: 'fleet-who' }, choice.shares.map(shareText).join(', '));
      const name = h('span', { class: 'fleet-words' }, taker?.name ?? choice.resource);
      return taker
        ? link(() => context.select({ what: 'taker', key: taker.key }), swatch(colourOf(taker)), words, name)
        : h('span', { class: 'fleet-plain' }, words, name);
    }),
    ...reasons.map((because) => h('p', { class: 'fleet-because' }, h('b', {}, 'Why there: '), ...marked(because))),
    passedOver.length > 0 && h('h3', {}, 'Why nowhere else'),
    list(passedOver, (row) =>
      link(
        () => context.select(reasonOf(owner, decision, row.because)),
        h('span', { class: 'fleet-many' }, grouped(row.candidates.length)),
        h(
          'span',
          { class: 'fleet-who' },
          ...marked(row.because),
          row.nearest && h('span', { class: 'fleet-near' }, `nearest ${nearest(row.nearest)}`),
        ),
      ),
    ),
  ];
}

function ofTaker(context: PanelContext, taker: Taker): Part[] {
  const { fleet } = context;
  const { owner, resource, choice } = taker;
  const shares = choice?.shares ?? found(fleet, taker);
  return [
    title(taker.name, taker.kind, colourOf(taker)),
    owner && resource
      ? places(context, { ...owner, resource })
      : h('p', { class: 'muted' }, 'It is among the texts, or in the cluster; no text here composes it.'),
    h('h3', {}, 'Where'),
    list(shares, (share) =>
      link(
        () => context.select({ what: 'place', name: share.place[0] ?? '' }),
        h('span', { class: 'fleet-who' }, shareText(share)),
        share.takes && h('span', { class: 'fleet-number' }, counted(share.takes)),
      ),
    ),
    choice !== undefined && h('p', { class: 'fleet-because' }, h('b', {}, 'Why there: '), ...marked(choice.because)),
    owner !== undefined && h('h3', {}, 'Whose'),
    owner !== undefined &&
      list([owner], (owner) =>
        link(
          () => context.select({ what: 'owner', key: owner.key }),
          swatch(`taker-${owner.colour}`),
          h('span', { class: 'fleet-who' }, owner.composite.object.name),
          h('span', { class: 'fleet-words' }, owner.composite.object.kind),
        ),
      ),
  ];
}

function ofReason(context: PanelContext, { owner, decision, passedOver }: Reason): Part[] {
  const { candidates, because, nearest: near } = passedOver;
  return [
    title(`${grouped(candidates.length)} ${because}`, passedOver.reason),
    list([owner], (owner) =>
      link(
        () => context.select({ what: 'owner', key: owner.key }),
        swatch(`taker-${owner.colour}`),
        h('span', { class: 'fleet-who' }, owner.composite.object.name),
        h('span', { class: 'fleet-words' }, decision.about),
      ),
    ),
    places(context, owner, passedOver.cause),
    near !== undefined && h('h3', {}, 'Nearest'),
    near !== undefined &&
      list([near], ({ place, needed, found }) =>
        link(
          () => context.select({ what: 'place', name: place[0] ?? '' }),
          h('span', { class: 'fleet-who' }, place.join(' / ')),
          h('span', { class: 'fleet-number' }, `${grouped(found.value)} of ${counted(needed)}`),
        ),
      ),
    h('h3', {}, 'Candidates'),
    h(
      'p',
      { class: 'fleet-chips' },
      ...candidates
        .slice(0, MOST_NAMES)
        .map((name) =>
          h('button', { type: 'button', class: 'chip', onclick: () => context.select({ what: 'place', name }) }, name),
        ),
      candidates.length > MOST_NAMES &&
        h('span', { class: 'muted' }, `and ${grouped(candidates.length - MOST_NAMES)} more; all are on the map`),
    ),
  ];
}

/** Links to the text that caused an object, or to a field of it, and to the object in the result. */
function places({ app }: PanelContext, { family, composite, resource }: Found, field?: string): HTMLElement {
  const isWritten = family.composites[0] === composite;
  const origin = app.origins?.nearest(family, (isWritten && field) || 'metadata.name');
  const found = { family, composite, ...(resource && { resource }) };
  return h(
    'p',
    { class: 'fleet-chips' },
    origin !== undefined &&
      h(
        'button',
        { type: 'button', class: 'chip', onclick: () => app.go(origin), title: field },
        field === undefined ? 'text' : wordOf(field),
        h('span', { class: 'place' }, `line ${origin.line}`),
      ),
    h(
      'button',
      { type: 'button', class: 'chip', onclick: () => app.reveal(found) },
      'object',
      h('span', { class: 'place' }, 'in the result'),
    ),
  );
}

/** The last name in a path, with its index: `selectors[1].cel` is `selector 2`. */
function wordOf(field: string): string {
  const found = /(\w+?)s?(?:\[(\d+)\])?(?:\.cel)?$/.exec(field);
  return found?.[2] === undefined ? (found?.[0] ?? field) : `${found[1]} ${Number(found[2]) + 1}`;
}

/** The counted places in a place, each with its path. */
function counts(place: Place, path: string[]): Row[] {
  const own = place.size ? [{ name: path.join(' / '), place, size: place.size.value, taken: takenOf(place) }] : [];
  return [...own, ...place.inside.flatMap((inside) => counts(inside, [...path, inside.name]))];
}

/** Where something is that nothing here decided about. */
function found(fleet: Fleet, { kind, name }: Taker): Share[] {
  const shares: Share[] = [];
  const look = (place: Place, path: string[], unit: string | undefined) => {
    const taking = place.taken.find((each) => each.kind === kind && each.name === name);
    if (taking && place.size && place.size.unit !== unit) {
      shares.push({ place: path, part: '', takes: { value: taking.value, unit: place.size.unit } });
      return; // what is inside is a part of it
    }
    for (const inside of place.inside) {
      look(inside, [...path, inside.name], place.size?.unit);
    }
  };
  for (const place of fleet.places) {
    look(place, [place.name], undefined);
  }
  return shares;
}

function reasonOf(owner: Owner, { about }: Decision, because: string): Focus {
  return { what: 'reason', key: owner.key, about, because };
}

function nearest({ place, needed, found, because }: NearMiss): string {
  const short = `${place.join('/')}: ${grouped(found.value)} of ${counted(needed)}`;
  return because === '' ? short : `${short}; ${because}`;
}

function shareText({ place, part }: Share): string {
  return `${part === '' ? '' : `${part} on `}${place.join(' / ')}`;
}

function back(context: PanelContext): HTMLElement {
  return h(
    'button',
    { type: 'button', class: 'fleet-back', onclick: () => context.select({ what: 'nothing' }) },
    icon('chevron'),
    'All decisions',
  );
}

function title(name: string, kind: string, colour?: string): HTMLElement {
  return h(
    'h2',
    { tabindex: -1 },
    colour !== undefined && swatch(colour),
    name,
    ' ',
    h('span', { class: 'muted' }, kind),
  );
}

function list<T>(items: readonly T[], row: (item: T) => HTMLElement): HTMLElement | false {
  return (
    items.length > 0 &&
    h(
      'ul',
      { class: 'fleet-list' },
      ...items.slice(0, MOST).map((item) => h('li', {}, row(item))),
      items.length > MOST && h('li', { class: 'more' }, `and ${grouped(items.length - MOST)} more`),
    )
  );
}

function link(run: () => void, ...children: Parameters<typeof h>[2][]): HTMLElement {
  return h('button', { type: 'button', class: 'fleet-link', onclick: run }, ...children);
}

function swatch(colour: string): HTMLElement {
  return h('i', { class: `swatch ${colour}`, 'aria-hidden': 'true' });
}
