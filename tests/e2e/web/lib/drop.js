/** Files that are dropped on the page. */

/** Drops files on an element. Each has a name, and a text or bytes. */
export async function drop(page, files, onto = '#editor') {
  const encoded = files.map(({ name, text, bytes }) => ({ name, text, base64: bytes && Buffer.from(bytes).toString('base64') }));
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, text, base64 } of files) {
      const content = base64 === undefined ? text : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([content], name));
    }
    return transfer;
  }, encoded);
  await page.dispatchEvent(onto, 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent(onto, 'drop', { dataTransfer: transfer });
}
