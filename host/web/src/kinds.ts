import type { KindRef } from './contract.ts';

/** The kinds of a text's documents. It only searches for the keys, since the modules parse the text. */
export function kindsIn(text: string): KindRef[] {
  const documents = text.split(/^---(?:[^\S\n].*)?$/m);
  if (/^(?:\s*(?:#.*)?\n)*$/.test(`${documents[0]}\n`)) {
    documents.shift(); // only comments before the first separator
  }
  const field = (document: string, name: string) => {
    const value = `["']?${name}["']?:\\s*["']?([^\\s"',#}]+)`;
    // First at the start of a line; in JSON the keys are indented.
    return (new RegExp(`^${value}`, 'm').exec(document) ?? new RegExp(`[{,\\s]${value}`).exec(document))?.[1] ?? '';
  };
  return documents.map((document) => ({ apiVersion: field(document, 'apiVersion'), kind: field(document, 'kind') }));
}
