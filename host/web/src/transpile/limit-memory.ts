/** The section of a core module that declares its memories. */
const MEMORY_SECTION = 5;
const PAGE_BYTES = 65536;

/**
 * The same core module, where the maximum size of each memory is `bytes`, or less if it was less. A browser has no
 * other way to limit the memory of a module. Memories that are shared or 64-bit are not changed.
 */
export function limitMemory(module: Uint8Array, bytes: number): Uint8Array {
  const parts: Uint8Array[] = [module.subarray(0, 8)];
  let at = 8;
  while (at < module.length) {
    const [size, body] = leb(module, at + 1);
    const end = body + size;
    if (module[at] === MEMORY_SECTION) {
      const limited = memories(module.subarray(body, end), Math.floor(bytes / PAGE_BYTES));
      parts.push(Uint8Array.of(MEMORY_SECTION, ...toLeb(limited.length), ...limited));
    } else {
      parts.push(module.subarray(at, end));
    }
    at = end;
  }
  return joined(parts);
}

function memories(section: Uint8Array, most: number): number[] {
  const [count, first] = leb(section, 0);
  const out = toLeb(count);
  let at = first;
  for (let index = 0; index < count; index++) {
    const flags = section[at] ?? 0;
    if (flags > 1) {
      return [...section];
    }
    const [smallest, next] = leb(section, at + 1);
    const [largest, end] = flags === 1 ? leb(section, next) : [most, next];
    out.push(1, ...toLeb(smallest), ...toLeb(Math.max(smallest, Math.min(largest, most))));
    at = end;
  }
  return out;
}

/** Reads a LEB128 number. Returns the number and its end. */
function leb(bytes: Uint8Array, start: number): [value: number, end: number] {
  let [value, scale, at] = [0, 1, start];
  for (;;) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) {
      return [value, at];
    }
  }
}

function toLeb(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  do {
    const byte = rest % 128;
    rest = Math.floor(rest / 128);
    out.push(rest > 0 ? byte | 0x80 : byte);
  } while (rest > 0);
  return out;
}

function joined(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
