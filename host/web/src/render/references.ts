/** The references of an object to others, as Kubernetes spells them: `…Ref: {kind, name}`, and names of services and secrets. */

export interface Reference {
  /** The kind that is referred to, in small letters, e.g. `vpc` for `vpcIdRef`. It may be the end of the kind's name. */
  kind: string;
  /** Empty for a reference by labels. */
  name: string;
  /** The labels that what is referred to has: `key=value`. */
  labels: string[];
}

/** Keys whose value has the name of an object of that kind. */
const NAMED = /^(?:service|configMap|secret|serviceAccount)$/;
/** Keys whose value is such a name. */
const NAMES = /^(secret|configMap|serviceAccount|persistentVolumeClaim)Name$/;
/** What only Crossplane sets, or what says how an object is reached instead of what it needs. */
const IGNORED = new Set([
  'resourceRefs',
  'ownerReferences',
  'compositionRef',
  'compositionRevisionRef',
  'providerConfigRef',
]);

/** The references, each once. */
export function referencesIn(object: unknown): Reference[] {
  const found = new Map<string, Reference>();
  const add = (kind: unknown, name: unknown) => {
    if (typeof kind === 'string' && typeof name === 'string' && name !== '') {
      found.set(`${kind} ${name}`, { kind: kind.toLowerCase(), name, labels: [] });
    }
  };
  const addSelector = (kind: string, selector: unknown) => {
    const labels = labelsOf((selector as { matchLabels?: unknown } | null)?.matchLabels);
    if (labels.length > 0) {
      found.set(`${kind} ${labels.join()}`, { kind: kind.toLowerCase(), name: '', labels });
    }
  };
  const look = (value: unknown) => {
    if (typeof value !== 'object' || value === null) {
      return;
    }
    for (const [key, inside] of Object.entries(value)) {
      if (IGNORED.has(key)) {
        continue;
      }
      const [, kind] = /^(.+?)(?:Id|Arn|Name)?Refs?$/.exec(key) ?? (NAMED.test(key) ? [key, key] : []);
      const [, selected] = /^(.+?)(?:Id|Arn|Name)?Selector$/.exec(key) ?? [];
      if (selected !== undefined) {
        addSelector(selected, inside);
      } else if (kind !== undefined) {
        for (const each of Array.isArray(inside) ? inside : [inside]) {
          add(each?.kind ?? kind, each?.name);
        }
      } else if (typeof inside === 'string') {
        add(NAMES.exec(key)?.[1], inside);
      }
      look(inside);
    }
  };
  look((object as { spec?: unknown } | null)?.spec);
  return [...found.values()];
}

/** Labels, each as `key=value`. */
export function labelsOf(labels: unknown): string[] {
  return typeof labels === 'object' && labels !== null
    ? Object.entries(labels).map(([key, value]) => `${key}=${value}`)
    : [];
}
