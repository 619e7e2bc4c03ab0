/** Names of Kubernetes objects. */

/** Kind and name of an object. */
export interface Titled {
  kind: string;
  /** `namespace/name`, or the name alone. */
  name: string;
  /** The object that this one wraps, and its cluster. */
  wraps?: Wrapped;
}

export interface Wrapped {
  kind: string;
  name: string;
  /** The name of the provider configuration of the cluster where it is. */
  cluster: string;
}

/** Reads kind and name of an object. */
export function describeObject(object: unknown): Titled {
  const manifest = at(object, 'spec', 'forProvider', 'manifest');
  const own = named(object);
  const cluster = at(object, 'spec', 'providerConfigRef', 'name');
  return manifest === undefined
    ? own
    : { ...own, wraps: { ...named(manifest), cluster: typeof cluster === 'string' ? cluster : '' } };
}

/** Kind and name in one line, which is unique among objects of different names: `Object default/qwen-x`. */
export function keyOf({ kind, name }: Titled): string {
  return `${kind} ${name}`;
}

/** What an object is: for one that wraps another, that other. */
export function shownOf(object: Titled): { kind: string; name: string; cluster: string } {
  return object.wraps ?? { kind: object.kind, name: object.name, cluster: '' };
}

/** What an object is, in one line, e.g. `Ingress default/qwen, on cluster gpu-cluster`. */
export function titleOf(object: Titled): string {
  const { kind, name, cluster } = shownOf(object);
  return `${kind} ${name}${cluster === '' ? '' : `, on cluster ${cluster}`}`;
}

/** Parses JSON. Integers that are too large for JavaScript keep their digits. */
export function parseObject(json: string): unknown {
  if (!/\d{16}/.test(json)) {
    return JSON.parse(json);
  }
  const exact = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
      ? new Digits(context.source)
      : value;
  return JSON.parse(json, exact);
}

/** A number with its original digits. It is printed as a number if the engine has `JSON.rawJSON`, otherwise as text. */
class Digits {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toJSON(): unknown {
    const raw = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;
    return raw ? raw(this.#source) : this.#source;
  }
}

function named(object: unknown): { kind: string; name: string } {
  const text = (...path: string[]) => {
    const found = at(object, ...path);
    return typeof found === 'string' ? found : '';
  };
  const namespace = text('metadata', 'namespace');
  const name = text('metadata', 'name') || `${text('metadata', 'generateName')}…`;
  return { kind: text('kind'), name: namespace === '' ? name : `${namespace}/${name}` };
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (held, key) => (typeof held === 'object' && held !== null ? (held as Record<string, unknown>)[key] : undefined),
    value,
  );
}
