/** What people see: the colours and boxes on the screen, not what is in the document. */

/** The colour of a place in the window, as `#rrggbb`. A blank page reads the picture, since the page's policy forbids it. */
export async function colourAt(page, x, y) {
  const picture = await page.screenshot({ clip: { x: Math.round(x), y: Math.round(y), width: 1, height: 1 } });
  const blank = await page.context().newPage();
  const colour = await blank.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    context.drawImage(image, 0, 0);
    return `#${[...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  }, picture.toString('base64'));
  await blank.close();
  return colour;
}

/** The share of an element of an editor that is on top of everything else, from 0 to 1: clipped parts are not. */
export function shareInSight(page, host, selector) {
  return page.evaluate(
    ([host, selector]) => {
      const root = document.querySelector(host).shadowRoot;
      const element = root.querySelector(selector);
      const { left, top, width, height } = element.getBoundingClientRect();
      const steps = [0.05, 0.25, 0.5, 0.75, 0.95];
      const places = steps.flatMap((x) => steps.map((y) => [left + x * width, top + y * height]));
      const seen = places.filter(([x, y]) => document.elementFromPoint(x, y) && element.contains(root.elementFromPoint(x, y)));
      return seen.length / places.length;
    },
    [host, selector],
  );
}
