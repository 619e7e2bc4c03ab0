/** The lines of an outline: the nodes that are open, or those that filters leave. */

import { shownOf } from '../render/object.ts';
import { type Node, wordsOf } from './nodes.ts';

/** A node in sight. */
export interface Line {
  node: Node;
  level: number;
  /** Its place among its neighbours, from 0, and their number. */
  index: number;
  size: number;
  /** Absent when nothing is below. */
  open?: boolean;
}

export interface Filters {
  /** Words that each object has in its names. */
  find: string;
  /** The kind of each object. Empty for any. */
  kind: string;
  /** `ready`, `not ready`, or empty for both. */
  ready: string;
}

/** The lines, and the number of objects among them that the filters found; undefined without filters. */
export function linesOf(
  nodes: Node[],
  filters: Filters,
  isOpen: (node: Node) => boolean,
): { lines: Line[]; found: number | undefined } {
  const lines: Line[] = [];
  if (filters.find === '' && filters.kind === '' && filters.ready === '') {
    add(lines, nodes, 1, isOpen);
    return { lines, found: undefined };
  }
  let found = 0;
  const words = filters.find.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (node: Node, around: string) =>
    node.what === 'object' &&
    node.object !== undefined &&
    (filters.kind === '' || shownOf(node.object).kind === filters.kind) &&
    (filters.ready === '' || node.ready === filters.ready) &&
    words.every((word) => around.includes(word));
  /** The nodes that are found, and those around them. Names of what is around count too. */
  const kept = (all: Node[], around: string): Node[] =>
    all.flatMap((node) => {
      const own = `${around}\n${wordsOf(node)}`;
      const hit = isFound(node, own);
      found += Number(hit);
      const below = kept(node.below, node.what === 'group' ? own : around);
      return hit || below.length > 0 ? [{ ...node, below }] : [];
    });
  add(lines, kept(nodes, ''), 1, () => true);
  return { lines, found };
}

/** The kinds of objects, sorted. */
export function kindsOf(nodes: Node[]): string[] {
  const kinds = new Set<string>();
  const look = ({ object, what, below }: Node) => {
    if (object && what === 'object') {
      kinds.add(shownOf(object).kind);
    }
    below.forEach(look);
  };
  nodes.forEach(look);
  return [...kinds].sort();
}

/** The nodes around a node that a test accepts, from the outermost to itself. Empty when there is none. */
export function pathTo(nodes: Node[], test: (node: Node) => boolean): Node[] {
  for (const node of nodes) {
    if (test(node)) {
      return [node];
    }
    const path = pathTo(node.below, test);
    if (path.length > 0) {
      return [node, ...path];
    }
  }
  return [];
}

function add(lines: Line[], nodes: Node[], level: number, isOpen: (node: Node) => boolean): void {
  nodes.forEach((node, index) => {
    const open = node.below.length > 0 && isOpen(node);
    lines.push({ node, level, index, size: nodes.length, ...(node.below.length > 0 && { open }) });
    if (open) {
      add(lines, node.below, level + 1, isOpen);
    }
  });
}
