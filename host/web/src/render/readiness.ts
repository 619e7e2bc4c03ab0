/** Whether composites and resources are ready, from what Crossplane would write into a composite's status. */

import type { RenderedComposite } from '../contract.ts';
import type { Condition } from './answer.ts';

export type Readiness = 'ready' | 'not ready' | 'unknown';

/** The conditions of a composite, and what its `Ready` says. */
export function readinessOf(object: unknown): { conditions: Condition[]; ready: Readiness } {
  const found = (object as { status?: { conditions?: unknown } })?.status?.conditions;
  const conditions = (Array.isArray(found) ? found : []).map((condition): Condition => {
    const text = (key: string) => (typeof condition?.[key] === 'string' ? condition[key] : '');
    return { type: text('type'), status: text('status'), reason: text('reason'), message: text('message') };
  });
  const ready = conditions.find(({ type }) => type === 'Ready');
  return { conditions, ready: !ready ? 'unknown' : ready.status === 'True' ? 'ready' : 'not ready' };
}

/**
 * Whether Crossplane would say that a composed resource is not ready. It names each such resource in an event; the
 * `Ready` condition names only the first few.
 */
export function isNotReady(name: string, conditions: Condition[], results: RenderedComposite['results']): boolean {
  const ready = conditions.find(({ type }) => type === 'Ready');
  const listed = ready?.message.replace('Unready resources: ', '').split(', ') ?? [];
  const event = `Composed resource "${name}" is not yet ready`;
  return listed.includes(name) || results.some(({ step, outcome }) => step === '' && outcome.message === event);
}
