/** The whole as a graph: composites, what they compose, and what refers to what, laid out from left to right. */

import { count } from '../dom.ts';
import { groupBy } from '../group.ts';
import type { Answer, Composite, Family, Printed, Resource } from '../render/answer.ts';
import { byArea } from '../render/areas.ts';
import { shownOf } from '../render/object.ts';
import type { Readiness } from '../render/readiness.ts';
import { type Found, type Selection, selectionOf } from '../selection.ts';

export interface GraphNode {
  kind: string;
  /** The name, or the number of objects for a group. */
  name: string;
  ready: Readiness;
  /** Whether it is a composite. */
  composes: boolean;
  /** Absent for a group. */
  selection?: Selection;
  /** Its column and row, from 0. */
  column: number;
  row: number;
}

export interface Edge {
  from: GraphNode;
  to: GraphNode;
  /** `composes`, or `refers` for a reference. */
  what: 'composes' | 'refers';
}

export interface Graph {
  nodes: GraphNode[];
  edges: Edge[];
  columns: number;
  rows: number;
  /** The number of composites that are not drawn. */
  left: number;
}

/** The most nodes. With more, objects of one kind in one area are a node. */
export const MOST_NODES = 300;

/** The most objects of a reference by labels. */
const MOST_SELECTED = 8;

export function graphOf({ families }: Pick<Answer, 'families'>): Graph {
  const whole = new Layout(false).add(families);
  return whole.nodes.length <= MOST_NODES ? whole : new Layout(true).add(families);
}

class Layout {
  readonly #grouping: boolean;
  readonly #nodes: GraphNode[] = [];
  readonly #edges: Edge[] = [];
  /** The nodes of a name, for references. */
  readonly #named = new Map<string, GraphNode[]>();
  readonly #referring: [GraphNode, Printed][] = [];
  #row = 0;

  /** `grouping`: objects of one kind in one area are a node. */
  constructor(grouping: boolean) {
    this.#grouping = grouping;
  }

  add(families: Family[]): Graph {
    let left = 0;
    for (const family of families) {
      const [root] = family.composites;
      if (root && this.#nodes.length < MOST_NODES) {
        this.#composite(family, root, 0);
      } else {
        left++;
      }
    }
    this.#refer();
    const columns = Math.max(0, ...this.#nodes.map(({ column }) => column + 1));
    return { nodes: this.#nodes, edges: this.#edges, columns, rows: this.#row, left };
  }

  #composite(family: Family, composite: Composite, column: number): GraphNode {
    const node = this.#node({ family, composite }, composite.object, composite.ready, column);
    node.composes = true;
    const below = byArea(composite, composite.resources).flatMap(({ resources }) =>
      this.#grouping
        ? this.#grouped(family, composite, resources, column + 1)
        : this.#each(family, composite, resources, column + 1),
    );
    for (const to of below) {
      this.#edges.push({ from: node, to, what: 'composes' });
    }
    const rows = below.map(({ row }) => row);
    node.row = rows.length === 0 ? this.#row++ : Math.min(...rows);
    return node;
  }

  #each(family: Family, composite: Composite, resources: Resource[], column: number): GraphNode[] {
    return resources.map((resource) => {
      const child = resource.child === undefined ? undefined : family.composites[resource.child];
      if (child) {
        return this.#composite(family, child, column);
      }
      const node = this.#node({ family, composite, resource }, resource.object, resource.ready, column);
      node.row = this.#row++;
      return node;
    });
  }

  #grouped(family: Family, composite: Composite, resources: Resource[], column: number): GraphNode[] {
    return [...groupBy(resources, ({ object }) => shownOf(object).kind)].flatMap(([kind, all]) => {
      if (all.length === 1) {
        return this.#each(family, composite, all, column);
      }
      const ready = all.every((resource) => resource.ready === 'ready') ? 'ready' : 'not ready';
      const node: GraphNode = {
        kind,
        name: count(all.length, 'object'),
        ready,
        composes: false,
        column,
        row: this.#row++,
      };
      this.#nodes.push(node);
      return [node];
    });
  }

  #node(found: Found, object: Printed, ready: Readiness, column: number): GraphNode {
    const { kind, name } = shownOf(object);
    const node = { kind, name, ready, composes: false, selection: selectionOf(found), column, row: 0 };
    this.#nodes.push(node);
    this.#referring.push([node, object]);
    for (const key of new Set([name, object.name].map(last))) {
      this.#named.set(key, [...(this.#named.get(key) ?? []), node]);
    }
    return node;
  }

  /** Draws the references. A reference is to objects whose kind fits, by name or by labels. */
  #refer(): void {
    for (const [from, { references }] of this.#referring) {
      for (const { kind, name, labels } of references) {
        const named =
          name === '' ? this.#referring : (this.#named.get(last(name)) ?? []).map((node) => [node] as const);
        const fitting = named.filter(
          ([node, object]) =>
            node !== from && fits(node, kind) && labels.every((label) => object?.labels.includes(label)),
        );
        for (const [to] of fitting.slice(0, name === '' ? MOST_SELECTED : 1)) {
          this.#edges.push({ from, to, what: 'refers' });
        }
      }
    }
  }
}

function fits(node: GraphNode, kind: string): boolean {
  const own = node.kind.toLowerCase();
  return own === kind || own.endsWith(kind) || kind.endsWith(own);
}

function last(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** The key of a node that is the same in the next answer. */
export function keyOfNode({ selection, kind, name }: GraphNode): string {
  return selection ? `${selection.composite}\n${selection.object}` : `${kind} ${name}`;
}
