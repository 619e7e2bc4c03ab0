/** Puts texts into the fragment of a link. Browsers never send a fragment to a server. */

/** The content of a link: texts by name, and which text and view are shown. */
export interface Shared {
  texts: Record<string, string>;
  text: string;
  view: string;
  /** The time at which composites are composed, in RFC 3339. Absent when compositions get no time. */
  clock?: string;
  /** Whether what is composed counts as observed and ready. */
  settled?: boolean;
}

const PREFIX = 'v1.';
/** The largest size of an unpacked fragment: anybody can make a link. */
const MOST_BYTES = 32 << 20;

/** The fragment of a link, without `#`. */
export async function toFragment(shared: Shared): Promise<string> {
  const plain = new Blob([JSON.stringify(shared)]).stream();
  const packed = await new Response(plain.pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer();
  return PREFIX + base64url(new Uint8Array(packed));
}

/** The content of a fragment; undefined when it is empty. Fails with a message for people when it is broken. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  if (fragment === '') {
    return undefined;
  }
  if (!fragment.startsWith(PREFIX)) {
    throw new Error('it was not made by this page, or by a newer version of it');
  }
  let shared: unknown;
  try {
    shared = JSON.parse(await unpacked(bytes(fragment.slice(PREFIX.length))));
  } catch (error) {
    throw error instanceof TooLarge ? error : new Error('part of it is missing; was it cut off on the way?');
  }
  if (!isShared(shared)) {
    throw new Error('it holds something else');
  }
  return shared;
}

/** Whether this is the content of a link. */
export function isShared(value: unknown): value is Shared {
  const shared = value as Shared | null;
  return (
    typeof shared === 'object' &&
    shared !== null &&
    typeof shared.text === 'string' &&
    typeof shared.view === 'string' &&
    (shared.clock === undefined || typeof shared.clock === 'string') &&
    (shared.settled === undefined || typeof shared.settled === 'boolean') &&
    typeof shared.texts === 'object' &&
    shared.texts !== null &&
    Object.values(shared.texts).every((text) => typeof text === 'string')
  );
}

class TooLarge extends Error {}

async function unpacked(packed: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) {
      return new Blob(parts).text();
    }
    size += value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new TooLarge(`it holds more than ${MOST_BYTES >> 20} MB`);
    }
    parts.push(value);
  }
}

function base64url(data: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < data.length; at += 0x8000) {
    binary += String.fromCharCode(...data.subarray(at, at + 0x8000));
  }
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));
}
