/**
 * Components that misbehave, made from the built-in one: the code of `preview` is overwritten in place. Everything
 * else, such as the catalog, stays as it is.
 */

const CORE_MODULE = 1;
const EXPORTS = 7;
const CODE = 10;
const IMPORTS = 2;
const CALL = 0x10;
const PREVIEW = 'sailplane:composition/preview@0.1.0#preview';

/** Function bodies: no locals, then instructions. */
const BODIES = {
  loop: [0x00, 0x03, 0x40, 0x0c, 0x00, 0x0b, 0x00], // loop; br 0; end; unreachable
  trap: [0x00, 0x00], // unreachable
  // loop; (memory.grow 16 pages); i32.const -1; i32.ne; br_if 0; end; unreachable
  gorge: [0x00, 0x03, 0x40, 0x41, 0x10, 0x40, 0x00, 0x41, 0x7f, 0x47, 0x0d, 0x00, 0x0b, 0x00],
};

/** The built-in component, but its `preview` loops for ever, traps, or takes all memory and then traps. */
export function misbehaving(component, how) {
  const bytes = Uint8Array.from(component);
  for (const section of sections(bytes, 8, bytes.length)) {
    if (section.id === CORE_MODULE && overwrite(bytes, section, BODIES[how])) {
      return bytes;
    }
  }
  throw new Error(`no core module exports ${PREVIEW}`);
}

function overwrite(bytes, { from, to }, body) {
  const inside = new Map([...sections(bytes, from + 8, to)].map((section) => [section.id, section]));
  const exported = inside.has(EXPORTS) && exportedFunction(bytes, inside.get(EXPORTS).from);
  if (exported === undefined || exported === false) {
    return false;
  }
  const imported = inside.has(IMPORTS) ? leb(bytes, inside.get(IMPORTS).from)[0] : 0;
  const code = (wanted) => {
    let [, at] = leb(bytes, inside.get(CODE).from);
    for (let index = imported; index < wanted; index++) {
      const [size, start] = leb(bytes, at);
      at = start + size;
    }
    return leb(bytes, at);
  };
  let [size, start] = code(exported);
  if (size <= body.length) {
    // It only calls another function, which has more room: no locals, parameters, then the call.
    const call = bytes.subarray(start, start + size).indexOf(CALL);
    [size, start] = code(leb(bytes, start + call + 1)[0]);
  }
  bytes.fill(0x01, start, start + size - 1); // nop up to the final `end`
  bytes.set(body, start);
  return true;
}

function exportedFunction(bytes, from) {
  let [count, at] = leb(bytes, from);
  for (; count > 0; count--) {
    const [length, start] = leb(bytes, at);
    const name = new TextDecoder().decode(bytes.subarray(start, start + length));
    const kind = bytes[start + length];
    const [index, next] = leb(bytes, start + length + 1);
    if (kind === 0 && name === PREVIEW) {
      return index;
    }
    at = next;
  }
  return undefined;
}

function* sections(bytes, from, to) {
  for (let at = from; at < to; ) {
    const [size, start] = leb(bytes, at + 1);
    yield { id: bytes[at], from: start, to: start + size };
    at = start + size;
  }
}

/** A number in LEB128, and the position of its end. */
function leb(bytes, from) {
  let [value, scale, at] = [0, 1, from];
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) {
      return [value, at];
    }
  }
}
