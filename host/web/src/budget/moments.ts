/** The moments at which something changes for models: when somebody asks for one, and when its cooldown is over. */

import { secondsOf } from '../clock.ts';
import type { Answer } from '../render/answer.ts';

export interface Moment {
  /** The time, in RFC 3339. */
  at: string;
  /** What happens, with names in backticks. */
  what: string[];
}

/** So many seconds after a claim it may be confirmed. */
const RIPE = 5;

/** What the documents of a model in the texts say: when somebody asked for it, and since when it claims memory. */
const ASKED = /last-request-time: *["']?([^"'\s,}]+)/g;
const CLAIMS = /reservation: *["']?Claimed/;
const CLAIMED = /claimedAt: *["']?([^"'\s,}]+)/;

/**
 * The moments of what is written, in order, whatever the time is. A model that nobody has seen before counts as asked for at
 * the time of the answer, so that is no moment. `written` gives the documents of a model.
 */
export function momentsOf({ families }: Pick<Answer, 'families'>, written: (name: string) => string): Moment[] {
  const moments = new Map<number, string[]>();
  const add = (at: number | undefined, what: string) => {
    if (at !== undefined && Number.isFinite(new Date(at * 1000).getTime())) {
      moments.set(at, [...(moments.get(at) ?? []), what]);
    }
  };
  for (const { composites } of families) {
    for (const { memory, object } of composites) {
      if (memory) {
        const { name } = object;
        const text = written(name.split('/').at(-1) ?? '');
        for (const asked of stampsIn(text, memory.askedAt)) {
          add(asked, `\`${name}\` is asked for`);
          add(Math.floor(asked + memory.cooldown) + 1, `the cooldown of \`${name}\` is over`);
        }
        const claimed = CLAIMS.test(text) ? secondsIn(CLAIMED.exec(text)?.[1] ?? '') : undefined;
        add(claimed && claimed + RIPE, `the claim of \`${name}\` may be confirmed`);
      }
    }
  }
  return [...moments].sort(([one], [other]) => one - other).map(([at, what]) => ({ at: spelled(at), what }));
}

/** The times in a text at which somebody asked. Without one, what counts as that in the answer, if it is written. */
function stampsIn(text: string, otherwise: string): Set<number> {
  const stamps = [...text.matchAll(ASKED)].map(([, at]) => at ?? '');
  const all = stamps.length === 0 && otherwise !== '' && text.includes(otherwise) ? [otherwise] : stamps;
  return new Set(all.map(secondsIn).filter((at) => at !== undefined));
}

/** The index of the last moment that is not after a time; -1 before the first one, and without a time. */
export function momentAt(moments: readonly Moment[], clock: string): number {
  const now = secondsIn(clock);
  return now === undefined ? -1 : moments.findLastIndex(({ at }) => (secondsIn(at) ?? 0) <= now);
}

function secondsIn(time: string): number | undefined {
  const seconds = secondsOf(time.toUpperCase());
  return seconds === undefined ? undefined : Number(seconds);
}

function spelled(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '');
}
