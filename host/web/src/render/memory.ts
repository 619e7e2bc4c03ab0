/** What a composite that takes memory of a pool says of it, and when somebody asked for it. */

import type { Decision } from './decisions.ts';
import { parseObject } from './object.ts';

export interface Memory {
  pool: string;
  /** How firmly it has memory, as its status says it: `Confirmed`. Empty when it has none. */
  reservation: string;
  /** When somebody last asked for it, in RFC 3339. Empty where that is not said. */
  askedAt: string;
  /** How long it stays up after that, in seconds. */
  cooldown: number;
}

/** The pool in the words of a decision. */
const ABOUT = /^memory of pool `([^`]*)`/;
/** An annotation of the composite, or of what it composes. */
const ASKED = /last-request-time: "?([^"\n]+)/;
const DEFAULT_COOLDOWN = 600;
const SECONDS: Record<string, number> = {
  h: 3_600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  '\u00b5s': 1e-6,
  '\u03bcs': 1e-6,
  ns: 1e-9,
};

/** The pool whose memory a decision is about. Undefined when it is about something else. */
export function poolIn({ about }: Pick<Decision, 'about'>): string | undefined {
  return ABOUT.exec(about)?.[1];
}

/** What a composite says, by the JSON text of it, and by the YAML texts of it and of what it composes. */
export function memoryOf(pool: string, json: string, texts: string[]): Memory {
  const { spec, status } = parseObject(json) as { spec?: Record<string, unknown>; status?: Record<string, unknown> };
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const asked = texts.map((text) => ASKED.exec(text)?.[1] ?? '').filter((at) => Date.parse(at) >= 0);
  return {
    pool,
    reservation: text(status?.['reservation']),
    askedAt: asked.sort((one, other) => Date.parse(other) - Date.parse(one))[0] ?? '',
    cooldown: secondsIn(text(spec?.['cooldownPeriod'])),
  };
}

/** The seconds of a duration as Go writes it. 10 minutes when it is none, or not more than nothing. */
export function secondsIn(duration: string): number {
  const parts = [...duration.matchAll(/(\d+\.?\d*|\.\d+)(h|ms|m|s|us|[\u00b5\u03bc]s|ns)/g)];
  const isWhole = parts.map(([part]) => part).join('') === duration.replace(/^\+/, '');
  const seconds = parts.reduce((sum, [, number, unit]) => sum + Number(number) * (SECONDS[unit ?? ''] ?? 0), 0);
  return isWhole && seconds > 0 ? seconds : DEFAULT_COOLDOWN;
}
