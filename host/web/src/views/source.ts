/** The source follows the selection: the text shows what caused the selected field, or the composite of the object. */

import type { App } from '../app.ts';
import { mark } from '../editor/marks.ts';
import { derivationOf, selectedIn } from '../selection.ts';

export function source(app: App): void {
  app.store.watch(['selection'], ({ answer, selection, selectedBy, outdated, pane }) => {
    const found = outdated ? undefined : selectedIn(answer, selection);
    if (!found || selectedBy === 'text') {
      return;
    }
    const causes = derivationOf(found, selection)?.causes ?? [];
    const field = selection.object === '' && selection.field !== '' ? [selection.field] : [];
    const [cause] = [...causes, ...field].flatMap((path) => app.origins?.of(found.family, path) ?? []);
    if (cause) {
      app.go(cause, pane);
      return;
    }
    const name = app.origins?.of(found.family, 'metadata.name');
    if (name) {
      app.texts.show(name.text);
      app.store.set({ text: name.text });
      app.texts.look(name.from);
      app.texts.view.dispatch(mark([name.line]));
    }
  });
}
