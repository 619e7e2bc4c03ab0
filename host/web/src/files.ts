/**
 * Files of the user: through the File System Access API when the browser has it, otherwise as uploads and downloads.
 */

/** An opened file. It can be written to when the browser allows it. */
export interface Opened {
  name: string;
  text: string;
  handle?: Handle;
}

interface Handle {
  name: string;
  getFile(): Promise<File>;
  createWritable(): Promise<{ write(text: string): Promise<void>; close(): Promise<void> }>;
}

interface Pickers {
  showOpenFilePicker?(options: object): Promise<Handle[]>;
  showSaveFilePicker?(options: object): Promise<Handle>;
}

const YAML = { description: 'YAML', accept: { 'application/yaml': ['.yaml', '.yml', '.json'] } };

/** Lets the user choose a text. Undefined when they choose none. */
export async function openText(): Promise<Opened | undefined> {
  const pickers = window as unknown as Pickers;
  if (pickers.showOpenFilePicker) {
    const [handle] = (await chosen(pickers.showOpenFilePicker({ types: [YAML] }))) ?? [];
    return handle && { name: handle.name, text: await (await handle.getFile()).text(), handle };
  }
  const file = await uploaded('.yaml,.yml,.json');
  return file && { name: file.name, text: await file.text() };
}

/** Lets the user choose a component. Undefined when they choose none. */
export function openComponent(): Promise<File | undefined> {
  return uploaded('.wasm');
}

/** Saves a text to its file, or to a file that the user chooses. Returns the name; undefined when they choose none. */
export async function saveText(
  text: string,
  name: string,
  handle?: Handle,
): Promise<{ name: string; handle?: Handle } | undefined> {
  const pickers = window as unknown as Pickers;
  const target =
    handle ??
    (pickers.showSaveFilePicker && (await chosen(pickers.showSaveFilePicker({ suggestedName: name, types: [YAML] }))));
  if (target) {
    const stream = await target.createWritable();
    await stream.write(text);
    await stream.close();
    return { name: target.name, handle: target };
  }
  if (pickers.showSaveFilePicker) {
    return undefined;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return { name };
}

/** The choice. Undefined when the dialog was closed without one. */
async function chosen<T>(choice: Promise<T>): Promise<T | undefined> {
  try {
    return await choice;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
      return undefined;
    }
    throw error;
  }
}

function uploaded(accept: string): Promise<File | undefined> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.hidden = true;
    const end = (file?: File) => {
      input.remove();
      resolve(file);
    };
    input.addEventListener('change', () => end(input.files?.[0]));
    input.addEventListener('cancel', () => end());
    document.body.append(input); // an element that nothing holds may be collected while the dialog is open
    input.click();
  });
}
