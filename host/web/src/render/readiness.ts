/** Reads whether composites are ready, from the status that Crossplane would write. */

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
}

export type Readiness = 'ready' | 'not ready' | 'unknown';

/** The conditions of a composite, and whether it is ready. */
export function readinessOf(object: unknown): { conditions: Condition[]; ready: Readiness } {
  const found = (object as { status?: { conditions?: unknown } })?.status?.conditions;
  const conditions = (Array.isArray(found) ? found : []).map((condition): Condition => {
    const text = (key: string) => (typeof condition?.[key] === 'string' ? condition[key] : '');
    return { type: text('type'), status: text('status'), reason: text('reason'), message: text('message') };
  });
  const ready = conditions.find(({ type }) => type === 'Ready');
  return { conditions, ready: !ready ? 'unknown' : ready.status === 'True' ? 'ready' : 'not ready' };
}
