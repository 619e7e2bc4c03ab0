/** Shows how the result differs from another one, and goes from change to change. */

import { unfoldAll } from '@codemirror/language';
import {
  Change,
  type Chunk,
  getChunks,
  goToNextChunk,
  goToPreviousChunk,
  presentableDiff,
  unifiedMergeView,
} from '@codemirror/merge';
import { Compartment, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { differing } from '../compare/align.ts';

/** The limits of a comparison of one object. When it reaches them, the rest of the object counts as one change. */
const EFFORT = { scanLimit: 500, timeout: 50 };

export class Comparison {
  readonly #compartment = new Compartment();
  readonly extension: Extension = this.#compartment.of([]);
  #original: string | undefined;

  /** Compares with a text, or with nothing when it is undefined. */
  set(view: EditorView, original: string | undefined): void {
    this.#original = original;
    if (original !== undefined) {
      unfoldAll(view); // a change may be anywhere
    }
    view.dispatch({ effects: this.#compartment.reconfigure(original === undefined ? [] : merged(original)) });
  }

  /** Compares anew: what is folded follows no edit by itself. */
  refresh(view: EditorView): void {
    if (this.#original !== undefined) {
      this.set(view, this.#original);
    }
  }

  /** The first line of each change, from 1. */
  lines({ state }: EditorView): number[] {
    const chunks: readonly Chunk[] = this.#original === undefined ? [] : (getChunks(state)?.chunks ?? []);
    return chunks.map(({ fromB }) => state.doc.lineAt(Math.min(fromB, state.doc.length)).number);
  }

  next(view: EditorView): void {
    goToNextChunk(view);
  }

  previous(view: EditorView): void {
    goToPreviousChunk(view);
  }
}

function merged(original: string): Extension {
  return unifiedMergeView({
    original,
    mergeControls: false,
    collapseUnchanged: { margin: 4, minSize: 8 },
    diffConfig: { override: changes },
  });
}

function changes(a: string, b: string): Change[] {
  return differing(a, b).flatMap(({ fromA, toA, fromB, toB }) =>
    fromA === toA || fromB === toB
      ? [new Change(fromA, toA, fromB, toB)]
      : presentableDiff(a.slice(fromA, toA), b.slice(fromB, toB), EFFORT).map(
          (change) => new Change(change.fromA + fromA, change.toA + fromA, change.fromB + fromB, change.toB + fromB),
        ),
  );
}
