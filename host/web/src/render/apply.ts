/**
 * Objects as `kubectl apply` takes them: without what the API server or Crossplane adds and no one should set, i.e. the
 * status, references to owners, whose uid only the cluster knows, and references to what is composed.
 */

/** The lines of an object, as it was printed, for `kubectl apply`. */
export function applicable(text: string): string {
  const dropped =
    /^(?:status:| {2}(?:ownerReferences|uid|resourceVersion|generation|creationTimestamp):| {4}resourceRefs:)/;
  return without(text.split('\n'), (line) => dropped.test(line)).join('\n');
}

/** The manifest in an object that wraps one, for `kubectl apply` on its own cluster. The text itself when it wraps none. */
export function unwrapped(text: string): string {
  const lines = text.split('\n');
  const { from, to } = manifestIn(lines) ?? { from: 0, to: lines.length };
  return lines
    .slice(from, to)
    .map((line) => (from === 0 ? line : line.slice(6)))
    .join('\n');
}

/** The lines of the manifest that an object wraps, from the first to the one after the last. */
export function manifestIn(lines: readonly string[]): { from: number; to: number } | undefined {
  const key = lines.indexOf('    manifest:');
  return key < 0 || !lines.includes('  forProvider:') ? undefined : { from: key + 1, to: endOf(lines, key) };
}

/** The line after those below a key. A list below a key is indented like the key itself. */
export function endOf(lines: readonly string[], key: number): number {
  const indent = indentOf(lines[key] ?? '');
  const isList = /^ *- /.test(lines[key + 1] ?? '') && indentOf(lines[key + 1] ?? '') === indent;
  const isBelow = (line: string) =>
    line === '' || indentOf(line) > indent || (isList && indentOf(line) === indent && line.startsWith('- ', indent));
  const end = lines.findIndex((line, index) => index > key && !isBelow(line));
  return end < 0 ? lines.length : end;
}

function without(lines: string[], isDropped: (line: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (isDropped(line)) {
      at = endOf(lines, at);
    } else {
      kept.push(line);
      at++;
    }
  }
  return kept;
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
}
