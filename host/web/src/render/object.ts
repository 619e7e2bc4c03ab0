/** Names of Kubernetes objects. */

/** Kind and name of an object. */
export interface Titled {
  kind: string;
  /** `namespace/name`, or the name alone. */
  name: string;
  /** Kind and name of the object that this one wraps. */
  carries?: { kind: string; name: string };
}

/** Reads kind and name of an object. */
export function describeObject(object: unknown): Titled {
  const carried = at(object, 'spec', 'forProvider', 'manifest');
  const own = named(object);
  return carried === undefined ? own : { ...own, carries: named(carried) };
}

/** Kind and name in one line, e.g. `Object default/qwen-x → Ingress default/qwen`. */
export function titleOf({ kind, name, carries }: Titled): string {
  return `${kind} ${name}${carries ? ` → ${carries.kind} ${carries.name}` : ''}`;
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
