/** Changes to a fleet, as the command line and the address of the page spell them: `--scale chat/qwen=6 --drain gke-eu`. */

import type { Change } from '../contract.ts';

/** The changes in the order in which they are made: first there is more room and more is wanted, then something goes. */
export const CHANGES = ['add', 'scale', 'lose', 'drain'] as const;

export type ChangeKind = (typeof CHANGES)[number];

const NAME = String.raw`[\w.-]+`;
/** How each change is written. */
const FORMS: Record<ChangeKind, RegExp> = {
  add: new RegExp(`^(${NAME})/(${NAME})=(${NAME}):(\\d{1,9})$`),
  scale: new RegExp(`^(${NAME})/(${NAME})=(\\d{1,9})$`),
  lose: new RegExp(`^(${NAME})(?:/(${NAME}))?$`),
  drain: new RegExp(`^(${NAME})(?:/(${NAME}))?$`),
};

/** A change as it is written. */
export interface Written {
  kind: ChangeKind;
  /** What follows the name of the option: `chat/qwen=6`. */
  what: string;
}

/** The changes in a text. What is none is left out. */
export function readChanges(text: string): Written[] {
  return [...text.matchAll(/--(\w+)[ =](\S+)/g)].flatMap(([, name, what = '']) => {
    const kind = CHANGES.find((it) => it === name);
    return kind && changeOf({ kind, what }) ? [{ kind, what }] : [];
  });
}

/** The changes as arguments of the command line, in the order in which they are made. */
export function spellChanges(changes: Written[]): string {
  return inOrder(changes)
    .map(({ kind, what }) => `--${kind} ${what}`)
    .join(' ');
}

/** A change for the contract. Undefined when it is not written as one. */
export function changeOf({ kind, what }: Written): Change | undefined {
  const [, first = '', second, third, fourth] = FORMS[kind].exec(what) ?? [];
  if (first === '') {
    return undefined;
  }
  switch (kind) {
    case 'add':
      return { tag: kind, val: { place: [first, second ?? ''], class: third ?? '', number: Number(fourth) } };
    case 'scale':
      return { tag: kind, val: { namespace: first, name: second ?? '', number: Number(third) } };
    case 'lose':
    case 'drain':
      return { tag: kind, val: second === undefined ? [first] : [first, second] };
  }
}

/** Changes with another one, which replaces one of the same sort to the same thing. */
export function withChange(changes: Written[], change: Written): Written[] {
  const about = ({ kind, what }: Written) => `${kind} ${what.split('=')[0]}`;
  return inOrder([...changes.filter((it) => about(it) !== about(change)), change]);
}

/** The command that says the same about these files. */
export function commandOf(files: string[], input: string | undefined, changes: Written[]): string {
  const options = input === undefined ? [] : [`--input ${input}`];
  return ['sailplane plan', ...files, ...options, spellChanges(changes)].filter(Boolean).join(' ');
}

function inOrder(changes: Written[]): Written[] {
  return changes.toSorted((one, other) => CHANGES.indexOf(one.kind) - CHANGES.indexOf(other.kind));
}
