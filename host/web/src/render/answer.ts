/** The answers of previews in the form that the views show. The worker makes them, so that the page only draws. */

import type {
  Diagnostic,
  Findings,
  KindRef,
  Location,
  MatchBy,
  RenderedComposite,
  Response,
  Selector,
} from '../contract.ts';
import { isEqual } from '../equal.ts';
import { type Boilerplate, boilerplateOf } from './boilerplate.ts';
import { type Cluster, clusterOf, isCluster, POOLS, poolOf, regionOf } from './cluster.ts';
import { type Decision, decisionOf } from './decisions.ts';
import { together } from './diagnostics.ts';

import { type Memory, memoryOf, poolIn } from './memory.ts';
import { describeObject, parseObject, type Titled } from './object.ts';
import { Parts } from './parts.ts';
import { type Place, placesOf } from './places.ts';
import { inline } from './print.ts';
import { type Condition, type Readiness, readinessOf } from './readiness.ts';
import { labelsOf, type Reference } from './references.ts';

export interface Answer {
  families: Family[];
  diagnostics: Diagnostic[];
  /** The places that what is composed competes for. */
  places: Place[];
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
  /** The areas that people group its resources by. Empty when its kind has none. */
  areas: string[];
  resources: Resource[];
  conditions: Condition[];
  events: Event[];
  derivations: Derivation[];
  decisions: Decision[];
  /** The module's lookups, a line for each. */
  lookups: string[];
  /** What they look for. */
  selectors: Selector[];
  /** What it says of a cluster. Absent when it is none. */
  cluster?: Cluster;
  /** What it says of memory of a pool. Absent when it takes none. */
  memory?: Memory;
}

/** An object and its YAML: one text, because a list of thousands of lines takes the page long to receive. */
export interface Printed extends Titled {
  text: string;
  /** The number of its lines. */
  height: number;
  /** What of it is the same for all objects. */
  boilerplate: Boilerplate[];
  /** What it refers to, and the object that it wraps. */
  references: Reference[];
  /** Its labels: `key=value`. */
  labels: string[];
  /** The JSON text of the module. Absent when there is no other module that needs it. */
  json?: string;
}

export interface Resource {
  name: string;
  object: Printed;
  ready: Readiness;
  /** When the object is a composite, its index in the family. */
  child?: number;
  /** Its index in the areas of the composite. Absent when it belongs to none. */
  area?: number;
  /** When it is composed, while what was composed before it becomes ready. Absent where nothing is taken as ready. */
  phase?: { number: number; waitsFor: string };
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
 * Prints and sorts the answers of a preview and a check, one after another. What was in the answer before is not parsed and
 * printed again: a keystroke changes few objects.
 */
export class Answers {
  readonly #parts = new Parts();
  readonly #objects = new Kept((json: string) => known(json, this.#parts));
  readonly #values = new Kept(spelledValue);
  readonly #clusters = new Kept(clusterOf);
  readonly #pools = new Kept(poolOf);
  /** What was made of composites of the answer before, by the JSON text of the first one. */
  #made = new Map<string, Group>();
  #passing = false;

  /**
   * With `passing`, keeps the JSON texts of objects for other modules. What is rendered as in the answer before has the same
   * composites.
   */
  of(response: Response, findings: Findings, passing: boolean): PartialAnswer {
    for (const kept of [this.#parts, this.#objects, this.#values, this.#clusters, this.#pools]) {
      kept.begin();
    }
    const before = passing === this.#passing ? this.#made : new Map<string, Group>();
    this.#passing = passing;
    this.#made = new Map();
    const families: Family[] = [];
    const made: Made[] = [];
    for (const { rendered, start } of groupsOf(response.composites)) {
      const { object, origin, foreignObject: given } = rendered[0] as RenderedComposite;
      const known = before.get(object);
      before.delete(object); // the same text may be there twice
      const group = known && isAgain(known, rendered, start) ? known : this.#group(rendered, start, passing);
      this.#made.set(object, { ...group, rendered });
      if (origin) {
        families.push({ kind: group.kind, origin, composites: group.composites });
      } else if (given !== undefined) {
        made.push({ given, composites: group.composites });
      }
    }
    const diagnostics = together(response.diagnostics, findings.diagnostics, [...families, ...made]);
    return { families, made, diagnostics, places: placesOf(response.capacities) };
  }

  #group(rendered: RenderedComposite[], start: number, passing: boolean): Group {
    const { kind } = this.#objects.of(rendered[0]?.object ?? '{}');
    return { rendered, start, kind, composites: rendered.map((it) => this.#composite(it, start, passing)) };
  }

  #composite(composite: RenderedComposite, start: number, passing: boolean): Composite {
    const places = new Map<string, (path: string) => number | undefined>();
    const printed = (name: string, json: string): Printed => {
      const known = this.#objects.of(json);
      places.set(name, known.lineOf);
      const { titled, text, height, boilerplate, references, labels } = known;
      return { ...titled, text, height, boilerplate, references, labels, ...(passing && { json }) };
    };
    const { conditions, ready } = this.#objects.of(composite.object);
    const object = printed('', composite.object);
    const resources = composite.resources.map((resource): Resource => {
      const shown: Resource = {
        name: resource.name,
        object: printed(resource.name, resource.object),
        ready: resource.ready ? 'ready' : 'not ready',
        ...(resource.area !== undefined && { area: resource.area }),
        ...(resource.phase && { phase: resource.phase }),
      };
      return resource.composite === undefined ? shown : { ...shown, child: resource.composite - start };
    });
    const decisions = composite.decisions.map(decisionOf);
    const pool = decisions.map(poolIn).find((found) => found !== undefined);
    return {
      object,
      ready,
      areas: composite.areas,
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
        const line = places.get(resource)?.(path);
        const shown = { resource, path, value: this.#values.of(value), because, causes };
        return line === undefined ? shown : { ...shown, line };
      }),
      decisions,
      lookups: composite.lookups.map(({ name, selector: { kind, matchBy, namespace } }) => {
        const place = namespace === undefined ? '' : `${namespace}/`;
        return `${name}: ${kind.kind} ${place}${wanted(matchBy)}`;
      }),
      selectors: composite.lookups.map(({ selector }) => selector),
      ...(isCluster(object) && { cluster: this.#cluster(composite, resources) }),
      ...(pool !== undefined && { memory: memoryOf(pool, composite.object, [object.text, ...resources.map(textOf)]) }),
    };
  }

  /** What a composite, or else what it composes, says of a cluster. */
  #cluster({ object, areas, resources: rendered }: RenderedComposite, resources: Resource[]): Cluster {
    const own = this.#clusters.of(object);
    const composed = rendered.flatMap(({ object, area }) => {
      const pool = area !== undefined && areas[area] === POOLS ? this.#pools.of(object) : undefined;
      return pool ? [pool] : [];
    });
    const region = own.region || resources.map(({ object }) => regionOf(object.text)).find(Boolean);
    return { ...own, region: region ?? '', pools: own.pools.length > 0 ? own.pools : composed };
  }
}

function textOf({ object }: Resource): string {
  return object.text;
}

/** What is made of texts, for those of this answer and of the one before. */
class Kept<T> {
  readonly #make: (text: string) => T;
  #before = new Map<string, T>();
  #now = new Map<string, T>();

  constructor(make: (text: string) => T) {
    this.#make = make;
  }

  /** A new answer begins. */
  begin(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  of(text: string): T {
    const known = this.#now.get(text) ?? this.#before.get(text) ?? this.#make(text);
    this.#now.set(text, known);
    return known;
  }
}

/** A composite and those below it, and what they were made of. */
interface Group {
  rendered: RenderedComposite[];
  /** The index of the first one in the response. */
  start: number;
  kind: KindRef;
  composites: Composite[];
}

/** The composites of a response, each that is written or given together with those below it. */
function groupsOf(composites: RenderedComposite[]): Pick<Group, 'rendered' | 'start'>[] {
  const groups: Pick<Group, 'rendered' | 'start'>[] = [];
  composites.forEach((composite, start) => {
    if (composite.origin || composite.foreignObject !== undefined || groups.length === 0) {
      groups.push({ rendered: [], start });
    }
    groups.at(-1)?.rendered.push(composite);
  });
  return groups;
}

/** Whether the same was rendered, wherever it is written. Only one with others below it has their indices. */
function isAgain(known: Group, rendered: RenderedComposite[], start: number): boolean {
  const withoutPlace = ({ origin, foreignObject, ...rest }: RenderedComposite) => rest;
  const isThere = rendered.length === 1 || start === known.start;
  return isThere && isEqual(known.rendered.map(withoutPlace), rendered.map(withoutPlace));
}

/** What is known of an object from its JSON text. */
function known(json: string, parts: Parts) {
  const { object, lines, lineOf, references } = parts.read(json);
  const { apiVersion, kind } = object as KindRef;
  const titled = describeObject(object);
  return {
    kind: { apiVersion, kind },
    titled,
    boilerplate: boilerplateOf(lines, titled),
    references,
    labels: labelsOf((object as { metadata?: { labels?: unknown } }).metadata?.labels),
    ...readinessOf(object),
    text: lines.join('\n'),
    height: lines.length,
    lineOf,
  };
}

/** The most characters of a value that an explanation shows. */
const MOST_OF_VALUE = 2_000;

/** A value in one line. Of one that is a whole object, the result has the rest. */
function spelledValue(json: string): string {
  return json.length > MOST_OF_VALUE ? `${json.slice(0, MOST_OF_VALUE)}…` : inline(parseObject(json));
}

/** What a lookup looks for, after the kind and the namespace. */
export function wanted(by: MatchBy): string {
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
