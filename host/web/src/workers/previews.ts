/**
 * Previews one after another. Of a long text only the documents that changed are previewed again, where the others do not depend
 * on them.
 */

import type { Contents, Diagnostic, instantiate, Location, Request } from '../contract.ts';
import { Answers, type Composite, type Family, type PartialAnswer } from '../render/answer.ts';
import { together } from '../render/diagnostics.ts';
import { Dependence } from './dependence.ts';
import { type Document, documentsOf, type Edit, edited, only } from './documents.ts';

type Module = Awaited<ReturnType<typeof instantiate>>;

/** A family of the answer before, and where it is now. */
export interface Again {
  again: number;
  origin: Location;
}

/** An answer as it is sent: without the families that the page has. */
export interface Sent extends Omit<PartialAnswer, 'families'> {
  families: (Family | Again)[];
  /** Whether the problems are those of the documents alone. A check of the whole text may find more. */
  unchecked: boolean;
  /** Whether further documents follow, when the same request is asked again. */
  unfinished: boolean;
}

/** With fewer documents, all of them are previewed: that is fast enough. */
const LEAST_DOCUMENTS = 12;
/** When more are new, they are previewed a part at a time: so many first, and then twice as many while that takes no longer. */
const MOST_AT_ONCE = 60;
const FIRST_DOCUMENTS = 24;
const PART_MILLIS = 500;

/** What the last answer was made of. */
interface Last {
  /** The documents that have been previewed. */
  documents: Document[];
  /** All of the request beside the manifest. */
  rest: string;
  families: Family[];
  /** What previews and checks found. */
  found: Diagnostic[];
  checked: Diagnostic[];
  /** How many documents the next part may have. */
  size: number;
}

export class Previews {
  readonly #module: Module;
  readonly #whole = new Answers();
  readonly #part = new Answers();
  #contents: Contents | undefined;
  #dependence: Dependence | undefined;
  #last: Last | undefined;
  /** The families of the last answer by their composites, as the page has them. */
  #sent = new Map<Composite[], number>();

  constructor(module: Module) {
    this.#module = module;
  }

  /** What the module can do. It takes a moment, and is always the same. */
  describe(): Contents {
    this.#contents ??= this.#module.catalog.describe();
    return this.#contents;
  }

  /** A preview of the texts, together with what an API server with admission webhooks would refuse. */
  of(request: Request): Sent {
    return this.#some(request) ?? this.#all(request);
  }

  /** The diagnostics of the request before, with a check of the whole text. */
  check(request: Request): Diagnostic[] {
    const { diagnostics } = this.#module.preview.check(request.sources, optionsOf(request));
    if (this.#last) {
      this.#last.checked = diagnostics;
    }
    return together(this.#last?.found ?? [], diagnostics, this.#last?.families ?? []);
  }

  #all(request: Request): Sent {
    const passing = request.foreignKinds.length > 0;
    const { preview } = this.#module;
    const [response, findings] = [preview.preview(request), preview.check(request.sources, optionsOf(request))];
    const answer = this.#whole.of(response, findings, passing);
    this.#last = undefined;
    if (isSeparable(request) && isOfDocuments(answer, response.diagnostics)) {
      this.#last = {
        documents: documentsOf(request.sources[0]?.text ?? ''),
        rest: restOf(request),
        families: answer.families,
        found: response.diagnostics,
        checked: findings.diagnostics,
        size: FIRST_DOCUMENTS,
      };
    }
    return { ...answer, families: this.#slim(answer.families), unchecked: false, unfinished: false };
  }

  /** The families without the composites that the page has, which takes them from its last answer. */
  #slim(families: Family[]): (Family | Again)[] {
    const had = this.#sent;
    this.#sent = new Map(families.map(({ composites }, index) => [composites, index]));
    return families.map((family) => {
      const again = had.get(family.composites);
      return again === undefined ? family : { again, origin: family.origin };
    });
  }

  /** Previews those documents that changed, or the first part of them. Undefined when the others may depend on them. */
  #some(request: Request): Sent | undefined {
    const [manifest, ...others] = request.sources;
    if (!manifest || !isSeparable(request)) {
      return undefined;
    }
    const rest = restOf(request);
    const none: Last = { documents: [], rest, families: [], found: [], checked: [], size: FIRST_DOCUMENTS };
    const last = this.#last?.rest === rest ? this.#last : none;
    const documents = documentsOf(manifest.text, last.documents);
    const edit = edited(last.documents, documents);
    const isMany = edit.now > MOST_AT_ONCE;
    if (documents.length < LEAST_DOCUMENTS || (!isMany && 4 * Math.max(edit.before, edit.now) > documents.length)) {
      return undefined;
    }
    const now = isMany ? Math.min(edit.now, last.size) : edit.now;
    const part = documents.slice(edit.from, edit.from + now);
    const kept = [...documents.slice(0, edit.from), ...documents.slice(edit.from + edit.now)];
    const later = documents.slice(edit.from + now, edit.from + edit.now);
    const left = last.documents.slice(edit.from, edit.from + edit.before);
    this.#dependence ??= new Dependence(this.describe());
    if (!this.#dependence.areApart(kindsOf([...part, ...left]), kindsOf([...kept, ...later]))) {
      return undefined;
    }

    const shift = shiftOf(last.documents, documents, edit);
    const again = last.families.flatMap((family) =>
      isOutside(family.origin, shift) ? [{ ...family, origin: moved(family.origin, shift) }] : [],
    );
    // With one document that is known to be right, since a text without any composite has errors of its own.
    const beside = documents.findLast(({ line }) => line < (again[0]?.origin.line ?? 0));
    const asked = [...(beside ? [beside] : []), ...part].sort((one, other) => one.line - other.line);
    const sources = [{ ...manifest, text: only(asked) }, ...others];
    const { preview } = this.#module;
    const begun = performance.now();
    const response = preview.preview({ ...request, sources });
    const findings = preview.check(sources, optionsOf(request));
    const answer = this.#part.of(response, findings, false);
    const isNew = (at: Location | undefined) =>
      at?.text === 0 && part.some(({ line, height }) => at.line > line && at.line <= line + Math.max(1, height));
    const fresh = answer.families.filter(({ origin }) => isNew(origin));
    const isSound = again.length + fresh.length > 0 && isOfDocuments(answer, response.diagnostics);
    if (!isSound || contest(fresh, again)) {
      return undefined;
    }

    const families = [...again, ...fresh].sort((one, other) => one.origin.line - other.origin.line);
    const joined = (before: Diagnostic[], found: Diagnostic[]) => [
      ...before.flatMap((diagnostic) => stays(diagnostic, shift)),
      ...found.filter(({ location }) => isNew(location)),
    ];
    const [found, checked] = [joined(last.found, response.diagnostics), joined(last.checked, findings.diagnostics)];
    const done = documents.filter((_, index) => index < edit.from + now || index >= edit.from + edit.now);
    const size = performance.now() - begun < PART_MILLIS ? 2 * now : now;
    this.#last = { documents: done, rest, families, found, checked, size: isMany ? size : FIRST_DOCUMENTS };
    return {
      families: this.#slim(families),
      made: [],
      places: [],
      diagnostics: together(found, checked, families),
      unchecked: true,
      unfinished: later.length > 0,
    };
  }
}

/** Where the documents after an edit went. */
interface Shift {
  /** The lines of the edit in the text before: after `start`, up to `end`. */
  start: number;
  end: number;
  lines: number;
}

function shiftOf(before: Document[], now: Document[], edit: Edit): Shift {
  const last = before[edit.from - 1];
  const [was, is] = [before[edit.from + edit.before], now[edit.from + edit.now]];
  return {
    start: last ? last.line + last.height : 0,
    end: was?.line ?? Number.POSITIVE_INFINITY,
    lines: was && is ? is.line - was.line : 0,
  };
}

function isOutside({ line }: Location, { start, end }: Shift): boolean {
  return line <= start || line > end;
}

function moved(at: Location, { end, lines }: Shift): Location {
  return at.line <= end || lines === 0 ? at : { ...at, line: at.line + lines, endLine: at.endLine + lines };
}

/** A diagnostic of the answer before, unless it is about what has changed. */
function stays(diagnostic: Diagnostic, shift: Shift): Diagnostic[] {
  const { location } = diagnostic;
  if (location?.text !== 0) {
    return [diagnostic];
  }
  return isOutside(location, shift) ? [{ ...diagnostic, location: moved(location, shift) }] : [];
}

function kindsOf(documents: Document[]): Set<string> {
  return new Set(documents.flatMap(({ kinds }) => kinds));
}

/** Whether each document may be previewed for itself: nothing that is asked for is about all together. */
function isSeparable({ sources, foreignKinds, settled }: Request): boolean {
  const isObserved = sources.some(({ role, text }) => role === 'observed' && text.trim() !== '');
  const isList = /^\[|^["']?kind["']?: *["']?List\b/m.test(sources[0]?.text ?? '');
  return foreignKinds.length === 0 && !settled && !isObserved && !isList;
}

/** Whether an answer says nothing about all documents together. */
function isOfDocuments({ places }: PartialAnswer, diagnostics: Diagnostic[]): boolean {
  return places.length === 0 && diagnostics.every(({ location }) => location !== undefined);
}

/** All of a request beside the manifest. */
function restOf({ sources, ...rest }: Request): string {
  const spelled = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return JSON.stringify([rest, sources.slice(1)], spelled);
}

function optionsOf(request: Request): string | undefined {
  return request.pipelines[0]?.steps[0]?.input?.text; // all pipelines have the same
}

/** Whether something new composes an object that something else composes too. */
function contest(fresh: Family[], kept: Family[]): boolean {
  const composed = (family: Family) =>
    family.composites.flatMap(({ resources }) => resources.map(({ object }) => `${object.kind} ${object.name}`));
  const names = new Set(fresh.flatMap(composed));
  return kept.some((family) => composed(family).some((name) => names.has(name)));
}
