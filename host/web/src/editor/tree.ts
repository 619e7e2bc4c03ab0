/**
 * Finds the places of fields in a text.
 *
 * It uses the syntax tree that the editor has for highlighting. The tree is up to date after every keystroke, continues
 * after errors, and costs nothing, while a second parser would need 30 kB and more time.
 */

import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';
import { firstWhere } from '../bisect.ts';
import { segments } from '../path.ts';

/** The place of a field or list item. */
export interface Place {
  /** Its key; for a list item, its value. */
  key: Span;
  /** The value. Absent when there is none. */
  value?: Span;
  /** Key and value. */
  whole: Span;
}

export interface Span {
  from: number;
  to: number;
}

const DOCUMENTS = new WeakMap<Tree, SyntaxNode[]>();

/** How long to wait for the tree of a large text, and for one whose length is bounded: on a busy machine that takes longer too. */
const PARSE_MILLIS = 20;
const BOUNDED_MILLIS = 1_000;

/** The place of the field `path` in the document around `position`. Absent when the document has no such field. */
export function find(state: EditorState, position: number, path: string): Place | undefined {
  const document = documentAt(state, position);
  let holder = document && content(document);
  let place: Place | undefined;
  for (const segment of segments(path)) {
    const found = holder && step(state, holder, segment);
    if (!found) {
      return undefined;
    }
    holder = content(found.node);
    place = { key: span(found.key), whole: span(found.node), ...(holder && { value: span(holder) }) };
  }
  return place;
}

/** An object in a text: a document, or an item of a list as kubectl prints it. */
export interface ObjectNode {
  /** The document, or the item. */
  span: Span;
  /** The place of its kind. */
  kind: Span;
  /** The text of the scalar at a path of keys. Empty when there is none. */
  field: (...path: string[]) => string;
  /** The keys and scalars of the mapping at a path of keys. */
  entries: (...path: string[]) => [key: string, value: string][];
}

/** The objects of a text that is not long, in order. Undefined when there is no tree of all of it in time. */
export function objectsIn(state: EditorState): ObjectNode[] | undefined {
  const tree = ensureSyntaxTree(state, state.doc.length, BOUNDED_MILLIS);
  return tree === null ? undefined : objectsOf(state, tree);
}

function objectsOf(state: EditorState, tree: Tree): ObjectNode[] {
  return documentsOf(tree).flatMap((document) => {
    const root = content(document);
    const list = root && step(state, root, 'items');
    const items = (list && content(list.node)?.getChildren('Item')) ?? [];
    const isList = root !== undefined && list !== undefined && objectNode(state, root).field('kind') === 'List';
    const nodes = isList ? items.flatMap((item) => content(item) ?? []) : (root ?? []);
    return [nodes].flat().map((node) => objectNode(state, node));
  });
}

function objectNode(state: EditorState, node: SyntaxNode): ObjectNode {
  const at = (path: string[]) =>
    path.reduce<SyntaxNode | undefined>((holder, key) => {
      const found = holder && step(state, holder, key);
      return found && content(found.node);
    }, node);
  return {
    span: span(node),
    kind: span(at(['kind']) ?? node),
    field(...path) {
      const found = at(path);
      return found ? words(state, found) : '';
    },
    entries(...path) {
      return (at(path)?.getChildren('Pair') ?? []).flatMap((pair): [string, string][] => {
        const [key, value] = [pair.getChild('Key'), content(pair)];
        return key && value ? [[words(state, key), words(state, value)]] : [];
      });
    },
  };
}

/** The path of the field at `position`, with the place of its key. Absent between fields. */
export function pathAt(
  state: EditorState,
  position: number,
): { path: string[]; key: Span; document: number } | undefined {
  const path: string[] = [];
  let key: Span | undefined;
  let document = 0;
  const start = syntaxTree(state).resolveInner(position, 1);
  for (let node: SyntaxNode | null = start; node; node = node.parent) {
    const name = node.name === 'Pair' && node.getChild('Key');
    if (name) {
      key ??= span(name);
      path.unshift(words(state, name));
    } else if (node.name === 'Item') {
      path.unshift('0');
    } else if (node.name === 'Document') {
      document = node.from;
    }
  }
  return key && { path, key, document };
}

/** Where a key can be added to the mapping `path`, and what stands before it there. */
export function mappingEnd(
  state: EditorState,
  position: number,
  path: string,
): { at: number; before: string } | undefined {
  const document = documentAt(state, position);
  const value = path === '' ? document && content(document) : nodeAt(state, find(state, position, path)?.value);
  const last = value?.getChildren('Pair').at(-1);
  if (value?.name === 'FlowMapping') {
    return last ? { at: last.to, before: ', ' } : { at: value.from + 1, before: '' };
  }
  if (value?.name !== 'BlockMapping' || !last) {
    return undefined;
  }
  const line = state.doc.lineAt(last.from);
  return { at: state.doc.lineAt(last.to).to, before: `\n${' '.repeat(last.from - line.from)}` };
}

function nodeAt(state: EditorState, where: Span | undefined): SyntaxNode | undefined {
  let node: SyntaxNode | null = where ? syntaxTree(state).resolve(where.to, -1) : null;
  while (node && where && node.from > where.from) {
    node = node.parent;
  }
  return node ?? undefined;
}

function documentAt(state: EditorState, position: number): SyntaxNode | undefined {
  const tree =
    ensureSyntaxTree(state, Math.min(state.doc.length, position + 20_000), PARSE_MILLIS) ?? syntaxTree(state);
  if (tree.length < position) {
    return undefined; // the tree ends before it
  }
  const documents = documentsOf(tree);
  const document = documents[firstWhere(documents.length, (index) => (documents[index]?.to ?? 0) >= position)];
  return document && document.from <= position ? document : documents[0];
}

/** The documents of a tree, in order. There may be thousands, and each cause of a result looks for its own. */
function documentsOf(tree: Tree): SyntaxNode[] {
  const known = DOCUMENTS.get(tree) ?? tree.topNode.getChildren('Document');
  DOCUMENTS.set(tree, known);
  return known;
}

function step(
  state: EditorState,
  holder: SyntaxNode,
  segment: string,
): { node: SyntaxNode; key: SyntaxNode } | undefined {
  if (holder.name.endsWith('Sequence')) {
    const items = [...holder.getChildren('Item')];
    const item = items[Number(segment)];
    return item && { node: item, key: item };
  }
  for (const pair of holder.getChildren('Pair')) {
    const key = pair.getChild('Key');
    if (key && words(state, key) === segment) {
      return { node: pair, key };
    }
  }
  return undefined;
}

/** The content of a pair, an item or a document, without anchors and tags. */
function content(node: SyntaxNode): SyntaxNode | undefined {
  const skipped = new Set(['Key', ':', '-', '?', 'Comment', 'DirectiveEnd', 'DocEnd', 'Anchor', 'Tag', '⚠']);
  let child = node.firstChild;
  while (child && skipped.has(child.name)) {
    child = child.nextSibling;
  }
  if (child && (child.name === 'Anchored' || child.name === 'Tagged')) {
    return content(child);
  }
  return child ?? undefined;
}

function words(state: EditorState, node: SyntaxNode): string {
  const text = state.sliceDoc(node.from, node.to).trim();
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

/** The span of a node, without the line break at the start of block nodes. */
function span({ from, to }: SyntaxNode): Span {
  return { from, to };
}
