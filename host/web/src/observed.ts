/** A result taken as what is observed in the cluster, where all of it is ready, or all but one object. */

import type { Answer, Composite, Resource } from './render/answer.ts';
import { endOf } from './render/apply.ts';

/** The text of what is observed when everything exists and is ready, but for `notReady`. */
export function observedOf({ families }: Pick<Answer, 'families'>, notReady?: Resource): string {
  const documents = families.flatMap(({ composites }) =>
    composites.flatMap(({ resources }) =>
      resources.map((resource) => observed(resource, composites, resource !== notReady)),
    ),
  );
  return documents.length === 0 ? '' : `${documents.join('\n---\n')}\n`;
}

/** A resource as it is observed. What is a composite too has the status that it would have. */
function observed({ object, child }: Resource, composites: Composite[], ready: boolean): string {
  const { text } = (child === undefined ? undefined : composites[child]?.object) ?? object;
  const lines = text.split('\n');
  const status = lines.indexOf('status:');
  const own = lines.indexOf('  conditions:', status);
  if (status >= 0 && own > status) {
    lines.splice(own, endOf(lines, own) - own);
  }
  if (status < 0) {
    lines.push('status:');
  }
  lines.splice(lines.indexOf('status:') + 1, 0, ...conditions(ready));
  return lines.join('\n');
}

/** The conditions that Crossplane, its providers and composites have. */
function conditions(ready: boolean): string[] {
  const condition = (type: string, status: string, reason: string) =>
    `  - {type: ${type}, status: "${status}", reason: ${reason}, lastTransitionTime: "2026-01-01T00:00:00Z"}`;
  return [
    '  conditions:',
    condition('Synced', 'True', 'ReconcileSuccess'),
    ready ? condition('Ready', 'True', 'Available') : condition('Ready', 'False', 'Unavailable'),
  ];
}
