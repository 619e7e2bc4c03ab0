/** Field paths in the format of the API server: `spec.rules[0].host`, `metadata.annotations[example.org/key]`. */

/** The path of a field below `path`. */
export function keyed(path: string, key: string): string {
  if (/[.[\]/]/.test(key) || key === '') {
    return `${path}[${key}]`;
  }
  return path === '' ? key : `${path}.${key}`;
}

/** The path of an item below `path`. */
export function indexed(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** The keys and indices of a path, in order. Whether a part is an index depends on the value that it is used on. */
export function segments(path: string): string[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, bracketed, name]) => bracketed ?? name ?? '');
}

/** The path of the parent. Empty at the top. */
export function parent(path: string): string {
  return path.endsWith(']') ? path.slice(0, path.lastIndexOf('[')) : path.slice(0, Math.max(0, path.lastIndexOf('.')));
}
