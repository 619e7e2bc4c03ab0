/** The types of the contract, which jco generates from `wit/`. */
export type { Contents, Entry, Example } from 'component/interfaces/sailplane-composition-catalog.js';
export type { Amount, Decision, NearMiss, Share } from 'component/interfaces/sailplane-composition-compose.js';
export type {
  Change,
  Request as PlanRequest,
  Response as PlanResponse,
} from 'component/interfaces/sailplane-composition-plan.js';
export type {
  Capacity,
  Diagnostic,
  Findings,
  Location,
  Pipeline,
  RenderedComposite,
  Request,
  Response,
  Source,
} from 'component/interfaces/sailplane-composition-preview.js';
export type { Edit, KindRef, MatchBy, Problem, Selector } from 'component/interfaces/sailplane-composition-types.js';
export type { instantiate } from 'component/sailplane.js';

/** A kind as one string, for comparison. */
export function kindKey(kind: { apiVersion: string; kind: string }): string {
  return `${kind.apiVersion} ${kind.kind}`;
}
