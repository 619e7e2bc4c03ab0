/** The schemas of kinds, from the definitions in the catalog. */

import type { Contents, Entry } from '../contract.ts';
import { kindKey } from '../contract.ts';

/** The part of OpenAPI v3 that structural schemas use and that the page shows. */
export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: string[];
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  nullable?: boolean;
}

/** A kind with its schema, which includes the fields that every object has. */
export interface Kind {
  apiVersion: string;
  kind: string;
  schema: Schema;
}

/** Kinds by their `kindKey`. */
export type Kinds = Map<string, Kind>;

/** The schemas of composites and of step inputs. */
export function kindsOf(entries: Entry[], contents: Contents[]): { composites: Kinds; options: Kinds } {
  const composites = entries.flatMap((entry) => kindsIn(entry.definition, entry.kind.apiVersion));
  const options = contents.flatMap(({ inputs }) => inputs.flatMap(({ definition }) => kindsIn(definition)));
  const keyed = (kinds: Kind[]): Kinds => new Map(kinds.map((kind) => [kindKey(kind), kind]));
  return { composites: keyed(composites), options: keyed(options) };
}

/** The schema of the field at a path. A list item may have any index. */
export function at(schema: Schema | undefined, path: readonly string[]): Schema | undefined {
  let here = schema;
  for (const segment of path) {
    const further = here?.additionalProperties;
    here = here?.items ?? here?.properties?.[segment] ?? (typeof further === 'object' ? further : undefined);
  }
  return here;
}

interface Definition {
  spec?: {
    group?: string;
    names?: { kind?: string };
    versions?: { name: string; schema?: { openAPIV3Schema?: Schema } }[];
  };
}

/** The kinds of a CompositeResourceDefinition or CustomResourceDefinition. Empty for other objects. */
function kindsIn(definition: string, only?: string): Kind[] {
  const { spec } = JSON.parse(definition) as Definition;
  return (spec?.versions ?? []).flatMap(({ name, schema }) => {
    const [apiVersion, kind] = [`${spec?.group}/${name}`, spec?.names?.kind ?? ''];
    const stated = schema?.openAPIV3Schema;
    return stated && (!only || only === apiVersion)
      ? [{ apiVersion, kind, schema: complete(stated, apiVersion, kind, only !== undefined) }]
      : [];
  });
}

/** Adds the fields that every object has. `named` is false for step inputs, which have no name. */
function complete(schema: Schema, apiVersion: string, kind: string, named: boolean): Schema {
  const metadata: Schema = {
    type: 'object',
    description: 'What every object has.',
    required: ['name'],
    properties: {
      name: { type: 'string', description: 'Its name, unique in its namespace.' },
      namespace: { type: 'string', description: 'The namespace it lives in.' },
      labels: { type: 'object', description: 'What it is found by.', additionalProperties: { type: 'string' } },
      annotations: {
        type: 'object',
        description: 'What tools keep with it.',
        additionalProperties: { type: 'string' },
      },
    },
  };
  return {
    ...schema,
    required: ['apiVersion', 'kind', ...(named ? ['metadata'] : []), ...(schema.required ?? [])],
    properties: {
      apiVersion: { type: 'string', description: 'Group and version of its type.', enum: [apiVersion] },
      kind: { type: 'string', description: schema.description ?? 'Its type.', enum: [kind] },
      metadata,
      ...Object.fromEntries(
        Object.entries(schema.properties ?? {}).filter(([name]) => !['apiVersion', 'kind', 'metadata'].includes(name)),
      ),
    },
  };
}
