import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * An editor inside `host`. It lives in a shadow root, where CodeMirror adopts its style sheets; in the document itself
 * it would insert style elements, which the page's policy (`style-src 'self'`) forbids.
 */
export function mount(host: HTMLElement, state: EditorState): EditorView {
  const root = host.attachShadow({ mode: 'open' });
  return new EditorView({ parent: root, root, state });
}
