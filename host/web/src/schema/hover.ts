/** Shows the documentation of the field under the pointer. */

import type { EditorState, Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { kindKey } from '../contract.ts';
import { find, pathAt } from '../editor/tree.ts';
import { describe } from './describe.ts';
import { at, type Kinds } from './schema.ts';

/** Shows documentation of keys and of their values. */
export function hoverBySchema(kinds: () => Kinds): Extension {
  return hoverTooltip((view, position) => {
    const found = documentationAt(view.state, position, kinds());
    return found && { pos: found.from, end: found.to, above: true, create: () => ({ dom: found.dom }) };
  });
}

function documentationAt(state: EditorState, position: number, kinds: Kinds) {
  const found = pathAt(state, position);
  if (!found) {
    return null;
  }
  const value = (name: string) => {
    const span = find(state, found.document, name)?.value;
    return span ? state.sliceDoc(span.from, span.to).replace(/^["']|["']$/g, '') : '';
  };
  const kind = kinds.get(kindKey({ apiVersion: value('apiVersion'), kind: value('kind') }));
  const field = at(kind?.schema, found.path);
  const name = found.path.at(-1) ?? '';
  const holder = at(kind?.schema, found.path.slice(0, -1));
  return field ? { ...found.key, dom: describe(name, field, holder?.required?.includes(name) ?? false) } : null;
}
