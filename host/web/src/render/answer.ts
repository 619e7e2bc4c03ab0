/** The answer of a preview in the form that the views show. The worker makes it, so that the page only draws. */

import type { Diagnostic, Findings, KindRef, Location, MatchBy, RenderedComposite, Response } from '../contract.ts';
import { together } from './diagnostics.ts';
import { describeObject, parseObject, type Titled } from './object.ts';
import { inline, print } from './print.ts';
import { type Condition, type Readiness, readinessOf } from './readiness.ts';

export interface Answer {
  families: Family[];
  diagnostics: Diagnostic[];
}

/** The answer of one of several modules. */
export interface PartialAnswer extends Answer {
  made: Made[];
}

/** The composites that a module made from an object of another module: one for that object, and those below it. */
export interface Made {
  /** The index of the object in the module's request. */
  given: number;
  composites: Composite[];
}

/** A composite of the user, and the composites below it. */
export interface Family {
  kind: KindRef;
  origin: Location;
  composites: Composite[];
}

export interface Composite {
  object: Printed;
  ready: Readiness;
  resources: Resource[];
  conditions: Condition[];
  events: Event[];
  derivations: Derivation[];
  /** The module's lookups, a line for each. */
  lookups: string[];
}

/** An object and its YAML. */
export interface Printed extends Titled {
  lines: string[];
  /** The JSON text of the module. Absent when there is no other module that needs it. */
  json?: string;
}

export interface Resource {
  name: string;
  object: Printed;
  ready: Readiness;
  /** When the object is a composite, its index in the family. */
  child?: number;
}

export interface Event {
  severity: 'normal' | 'warning';
  reason: string;
  message: string;
  /** The pipeline step; empty for results of Crossplane itself. */
  step: string;
}

export interface Derivation {
  /** The composition resource name; empty for the composite. */
  resource: string;
  path: string;
  value: string;
  because: string;
  /** The fields of the composite, or of the options (`input.…`). */
  causes: string[];
  /** The line in the object's YAML, from 0. Absent when the object has no such field. */
  line?: number;
}

/**
 * Prints and sorts the answers of a preview and a check. With `passing`, keeps the JSON texts of objects for other
 * modules.
 */
export function answerOf(response: Response, findings: Findings, passing: boolean): PartialAnswer {
  const families: Family[] = [];
  const made: Made[] = [];
  let composites: Composite[] = [];
  let start = 0;
  response.composites.forEach((composite, index) => {
    const object = parseObject(composite.object);
    const { origin, foreignObject: given } = composite;
    if (origin || given !== undefined) {
      composites = [];
      start = index;
    }
    if (origin) {
      const { apiVersion, kind } = object as { apiVersion: string; kind: string };
      families.push({ kind: { apiVersion, kind }, origin, composites });
    } else if (given !== undefined) {
      made.push({ given, composites });
    }
    composites.push(compositeOf(composite, object, start, passing));
  });
  return { families, made, diagnostics: together(response, findings) };
}

function compositeOf(composite: RenderedComposite, parsed: unknown, start: number, passing: boolean): Composite {
  const { conditions, ready } = readinessOf(parsed);
  const places = new Map<string, Map<string, number>>();
  const printed = (name: string, value: unknown, json: string): Printed => {
    const { lines, places: found } = print(value);
    places.set(name, found);
    return { ...describeObject(value), lines, ...(passing && { json }) };
  };
  const object = printed('', parsed, composite.object);
  const resources = composite.resources.map((resource): Resource => {
    const shown: Resource = {
      name: resource.name,
      object: printed(resource.name, parseObject(resource.object), resource.object),
      ready: resource.ready ? 'ready' : 'not ready',
    };
    return resource.composite === undefined ? shown : { ...shown, child: resource.composite - start };
  });
  return {
    object,
    ready,
    resources,
    conditions,
    events: composite.results.map(({ step, outcome }) => ({
      step,
      severity: outcome.severity,
      reason: outcome.reason ?? 'ComposeResources',
      message: outcome.message,
    })),
    derivations: composite.derivations.map((derivation): Derivation => {
      const { resourceName: resource, path, value, because, causes } = derivation;
      const line = places.get(resource)?.get(path);
      const shown = { resource, path, value: inline(parseObject(value)), because, causes };
      return line === undefined ? shown : { ...shown, line };
    }),
    lookups: composite.lookups.map(({ name, selector: { kind, matchBy, namespace } }) => {
      const place = namespace === undefined ? '' : `${namespace}/`;
      return `${name}: ${kind.kind} ${place}${wanted(matchBy)}`;
    }),
  };
}

function wanted(by: MatchBy): string {
  switch (by.tag) {
    case 'name':
      return by.val;
    case 'labels':
      return `with ${labels(by.val)}`;
    case 'values':
      return `by ${by.val.index}`;
  }
}

function labels(wanted: [string, string][]): string {
  return wanted.length === 0 ? 'any labels' : wanted.map(([key, value]) => `${key}=${value}`).join(', ');
}
