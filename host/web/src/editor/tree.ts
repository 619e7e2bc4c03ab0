/**
 * Where things are in a text, by its field paths.
 *
 * It walks the syntax tree that the editor keeps for highlighting anyway: it is there after every keystroke, it goes on
 * where the text is wrong, and it costs nothing, where a second parser would cost 30 kB and the time of another parse.
 */

import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { segments } from '../path.ts';

/** A field or item in a text. */
export interface Place {
  /** What it is called, or for an item what it is. */
  key: Span;
  /** Its value. Absent when there is none. */
  value?: Span;
  /** All of it. */
  whole: Span;
}

export interface Span {
  from: number;
  to: number;
}

/** How long a tree is waited for, in a text too large to have one yet. */
const PARSE_MILLIS = 20;

/** Where the field `path` is, in the document around `position`. Absent when the document does not have it. */
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

/** The path of what is at `position`, with the place of its key. Absent between fields. */
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

/** Where the mapping `path` ends and how its keys are indented, for a key to be added. */
export function mappingEnd(
  state: EditorState,
  position: number,
  path: string,
): { at: number; indent: string } | undefined {
  const document = documentAt(state, position);
  const value = path === '' ? document && content(document) : nodeAt(state, find(state, position, path)?.value);
  const last = value?.name === 'BlockMapping' ? value.getChildren('Pair').at(-1) : undefined;
  if (!last) {
    return undefined;
  }
  const line = state.doc.lineAt(last.from);
  return { at: state.doc.lineAt(last.to).to, indent: ' '.repeat(last.from - line.from) };
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
  const documents = tree.topNode.getChildren('Document');
  return documents.find((document) => document.from <= position && position <= document.to) ?? documents[0];
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

/** What a pair, an item or a document holds, past anchors and tags. */
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

/** A node without the line break that block nodes start with. */
function span({ from, to }: SyntaxNode): Span {
  return { from, to };
}
