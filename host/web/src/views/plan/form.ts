/** The form that adds a change to a plan. */

import { fill, h } from '../../dom.ts';
import { type ChangeKind, changeOf, type Written, withChange } from '../../plan/changes.ts';
import type { Answer } from '../../render/answer.ts';
import type { Place } from '../../render/places.ts';

const TITLES: Record<ChangeKind, string> = {
  scale: 'Scale a deployment',
  drain: 'Drain a cluster',
  lose: 'Lose a cluster or pool',
  add: 'Add nodes to a pool',
};
/** What is typed for each change, beside the number. */
const EXAMPLES: Record<ChangeKind, string> = {
  scale: 'namespace/name',
  drain: 'cluster',
  lose: 'cluster or cluster/pool',
  add: 'cluster/pool',
};
/** The most names that are offered. Others can be typed. */
const MOST = 500;

export function changeForm(
  changes: () => Written[],
  change: (next: Written[]) => void,
): { element: HTMLElement; offer(answer: Answer | undefined): void } {
  let answer: Answer | undefined;
  const names = h('datalist', { id: 'plan-names' });
  const kind = h(
    'select',
    { id: 'plan-kind', 'aria-label': 'Change', onchange: () => show() },
    ...Object.entries(TITLES).map(([value, title]) => h('option', { value }, title)),
  );
  const target = h('input', {
    id: 'plan-target',
    list: 'plan-names',
    'aria-label': 'Of what',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => suggest(),
  });
  const number = h('input', { id: 'plan-number', type: 'number', min: 0, 'aria-label': 'How many', value: 1 });
  const ofClass = h('input', {
    id: 'plan-class',
    placeholder: 'class',
    'aria-label': 'Class of nodes',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const element = h(
    'form',
    { id: 'plan-form', onsubmit: (event: Event) => submit(event) },
    kind,
    target,
    ofClass,
    number,
    h('button', { type: 'submit', class: 'quiet' }, 'Try'),
    names,
  );
  const chosen = () => kind.value as ChangeKind;
  const show = () => {
    const is = chosen();
    target.placeholder = EXAMPLES[is];
    number.hidden = is === 'drain' || is === 'lose';
    ofClass.hidden = is !== 'add';
    fill(
      names,
      ...namesFor(is, answer)
        .slice(0, MOST)
        .map((value) => h('option', { value })),
    );
  };
  /** The class of the pool that was chosen. */
  const suggest = () => {
    const [cluster, pool] = target.value.split('/');
    const place = answer?.places.find(({ name }) => name === cluster)?.inside.find(({ name }) => name === pool);
    ofClass.value = place?.labels.find(([key]) => key === 'class')?.[1] ?? ofClass.value;
    target.setCustomValidity('');
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const written = { kind: chosen(), what: whatOf(chosen(), target.value.trim(), number.value, ofClass.value.trim()) };
    if (changeOf(written)) {
      target.value = '';
      change(withChange(changes(), written));
    } else {
      target.setCustomValidity(`Write ${EXAMPLES[chosen()]}${chosen() === 'add' ? ', and a class' : ''}`);
      target.reportValidity();
    }
  };
  show();
  return {
    element,
    offer: (next) => {
      answer = next;
      show();
    },
  };
}

function whatOf(kind: ChangeKind, target: string, number: string, ofClass: string): string {
  switch (kind) {
    case 'scale':
      return `${target}=${number}`;
    case 'add':
      return `${target}=${ofClass}:${number}`;
    default:
      return target;
  }
}

/** The names that a change may be about. */
function namesFor(kind: ChangeKind, answer: Answer | undefined): string[] {
  const places = answer?.places ?? [];
  const pools = ({ name, inside }: Place) => inside.map((pool) => `${name}/${pool.name}`);
  switch (kind) {
    case 'scale':
      return (answer?.families ?? []).flatMap(({ composites }) =>
        composites.flatMap(({ object, decisions, memory }) => (decisions.length > 0 && !memory ? [object.name] : [])),
      );
    case 'drain':
      return places.map(({ name }) => name);
    case 'lose':
      return places.flatMap((place) => [place.name, ...pools(place)]);
    case 'add':
      return places.flatMap(pools);
  }
}
