import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Creates an editor inside `host`. The editor is in a shadow root, for which CodeMirror uses adopted style sheets. In
 * the document itself it would insert style elements, which the content security policy (`style-src 'self'`) forbids.
 */
export function mount(host: HTMLElement, state: EditorState): EditorView {
  const root = host.attachShadow({ mode: 'open' });
  return new EditorView({ parent: root, root, state });
}

/** Focuses the editor inside `host`. */
export function focusEditor(host: HTMLElement): void {
  host.shadowRoot?.querySelector<HTMLElement>('.cm-content')?.focus({ preventScroll: true });
}
