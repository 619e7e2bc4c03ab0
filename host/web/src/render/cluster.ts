/** What the objects of a cluster say of it: whose it is, where, and its pools of nodes. */

import { parseObject } from './object.ts';

export interface Cluster {
  /** The cloud, as the objects call it: `aws`, `GKE`. Empty where they do not say it. */
  provider: string;
  /** Empty where no object says it. */
  region: string;
  pools: NodePool[];
}

export interface NodePool {
  name: string;
  /** How many nodes it has: `2`, or `0 to 4`. Empty where that is not said. */
  nodes: string;
  /** The GPUs of a node: `8 × NVIDIA H200`. Empty where that is not said. */
  gpus: string;
  /** The class or the machine of its nodes. */
  machine: string;
}

/** Clusters, and what is installed on them, by the names that their kinds have. */
const KINDS = /(?:Cluster|ServingStack)$/;
/** The area with the pools of a cluster that has none in its own fields. */
export const POOLS = 'pools';

export function isCluster({ kind }: { kind: string }): boolean {
  return KINDS.test(kind);
}

/** What the JSON text of the composite says. */
export function clusterOf(json: string): Cluster {
  const object = parseObject(json) as Fields;
  const { spec, status, kind } = object;
  const source = text(at(spec, 'cluster', 'source'));
  const ofKind = /^([A-Z]\w+)Cluster$/.exec(text(kind))?.[1] ?? '';
  const provider = text(at(status, 'provider')) || source || (ofKind === 'Inference' ? '' : ofKind);
  const published = list(at(status, 'gpuPools')).map(publishedPool);
  const written = list(at(spec, 'nodePools')).map((pool) => withDevices(writtenPool(pool), published));
  return { provider, region: regionIn(spec), pools: written.length > 0 ? written : published };
}

/** The pool that the JSON text of a composed resource is. Undefined when it has no number of nodes. */
export function poolOf(json: string): NodePool | undefined {
  const { spec, metadata } = parseObject(json) as Fields;
  const wanted = at(spec, 'forProvider');
  const pool = { ...writtenPool(wanted), name: text(at(metadata, 'name')) };
  return pool.nodes === '' ? undefined : pool;
}

/** The region in the YAML text of an object of a provider. Empty when it has none. */
export function regionOf(yaml: string): string {
  return /^ {4}(?:region|location): ["']?([\w-]+)["']?$/m.exec(yaml)?.[1] ?? '';
}

type Fields = Record<string, unknown>;

function withDevices(pool: NodePool, published: NodePool[]): NodePool {
  const known = published.find(({ name }) => name === pool.name);
  return known ? { ...pool, nodes: pool.nodes || known.nodes, gpus: known.gpus || pool.gpus } : pool;
}

/** A pool as a cluster publishes it, with the devices of its nodes. */
function publishedPool(pool: unknown): NodePool {
  const devices = list(at(pool, 'devices')).flatMap((device) => {
    const name = text(at(device, 'attributes', 'productName', 'string')) || text(at(device, 'name'));
    const isGpu = /gpu/i.test(`${at(device, 'driver')} ${at(device, 'name')}`);
    return isGpu ? [`${at(device, 'count') ?? 1} × ${name}`] : [];
  });
  return {
    name: text(at(pool, 'name')),
    nodes: text(at(pool, 'nodes')),
    gpus: devices.join(', '),
    machine: '',
  };
}

/** A pool as a cluster wants it, or as a provider of a cloud has it. */
function writtenPool(pool: unknown): NodePool {
  const scaling = at(pool, 'scalingConfig') ?? at(pool, 'autoscaling') ?? pool;
  const number = (...names: string[]) => names.map((name) => text(at(scaling, name))).find(Boolean) ?? '';
  const wanted = number('nodeCount', 'desiredSize', 'nodeQuantity');
  const [least, most] = [number('minNodeCount', 'minSize', 'minCount'), number('maxNodeCount', 'maxSize', 'maxCount')];
  const accelerators = list(at(pool, 'nodeConfig', 'guestAccelerator')).map(
    (each) => `${at(each, 'count') ?? 1} × ${text(at(each, 'type'))}`,
  );
  const types = list(at(pool, 'instanceTypes')).map(text);
  const machines = ['className', 'instanceType', 'machineType', 'vmSize', 'plan', 'preset']
    .map((name) => text(at(pool, name)) || text(at(pool, 'nodeConfig', name)))
    .filter(Boolean);
  return {
    name: text(at(pool, 'name')),
    nodes: most === '' || most === (least || wanted) ? wanted || most : `${least || wanted || 0} to ${most}`,
    gpus: accelerators.join(', ') || text(at(pool, 'gpu', 'acceleratorType')),
    machine: [...machines, ...types].join(', '),
  };
}

/** The region that a composite states: its own, that of its cloud, or that in its parameters. */
function regionIn(spec: unknown): string {
  const places = [spec, at(spec, 'parameters'), ...Object.values((at(spec, 'cluster') ?? {}) as Fields)];
  return (
    places.flatMap((place) => [text(at(place, 'region')), text(at(place, 'location'))]).find((found) => found !== '') ??
    ''
  );
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (held, key) => (typeof held === 'object' && held !== null ? (held as Fields)[key] : undefined),
    value,
  );
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text or a number, as text. */
function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
