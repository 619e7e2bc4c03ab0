/** Files that are chosen, saved and dropped, with the file pickers of the browser and without. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ROOT, eachTest, status, useExample, write, written } from './lib/browser.js';
import { drop } from './lib/drop.js';
import { eventually } from './lib/eventually.js';
import { QWEN } from './lib/states.js';

const COMPONENT = resolve(ROOT, process.env.COMPONENT ?? 'target/web/sailplane.wasm');
const OTHER = QWEN.replaceAll('qwen', 'other');

let page;
eachTest((opened) => {
  page = opened;
});

test('a chosen file is read, and saved where it came from', async () => {
  await choosing('qwen.yaml', QWEN);
  await page.keyboard.press('Control+o');
  await said('qwen.yaml is the manifest now');
  await status(page, '3 objects');
  assert.equal(await written(page), QWEN);
  await write(page, OTHER);
  await page.keyboard.press('Control+s');
  await said('Saved as qwen.yaml');
  assert.equal(await stored('qwen.yaml'), OTHER);
  assert.deepEqual(await asked(), ['open']);
});

test('each text has a file of its own', async () => {
  await page.locator('#tab-options').click();
  await choosing('platform.yaml', 'kind: Options\n');
  await page.locator('#do-open').click();
  await said('platform.yaml is the options now');
  await page.locator('#tab-manifest').click();
  await write(page, QWEN);
  await page.locator('#do-save').click();
  await said('Saved as manifest.yaml');
  assert.deepEqual([await stored('platform.yaml'), await stored('manifest.yaml')], ['kind: Options\n', QWEN]);
});

test('what is saved for the first time asks where, and never again', async () => {
  await choosing();
  await write(page, QWEN);
  await page.keyboard.press('Control+s');
  await said('Saved as manifest.yaml');
  await write(page, OTHER);
  await page.keyboard.press('Control+s');
  await eventually(async () => assert.equal(await stored('manifest.yaml'), OTHER));
  assert.deepEqual(await asked(), ['save manifest.yaml']);
});

test('another text is not saved over the file of the one before', async () => {
  await choosing('qwen.yaml', QWEN);
  await page.keyboard.press('Control+o');
  await said('qwen.yaml is the manifest now');
  await useExample(page, 'llm-kimi');
  await page.keyboard.press('Control+s');
  await said('Saved as manifest.yaml');
  assert.equal(await stored('qwen.yaml'), QWEN);
});

test('a dialog that is closed changes nothing and says nothing', async () => {
  await choosing();
  await page.evaluate(() => {
    window.showOpenFilePicker = window.showSaveFilePicker = async () => {
      throw new DOMException('The user aborted a request.', 'AbortError');
    };
  });
  await write(page, QWEN);
  await page.keyboard.press('Control+o');
  await page.keyboard.press('Control+s');
  await page.waitForTimeout(200);
  assert.equal(await written(page), QWEN);
  assert.equal(await page.locator('#notice .toast').count(), 0);
});

test('a file that cannot be read or written says so', async () => {
  await choosing('qwen.yaml', QWEN);
  await page.keyboard.press('Control+o');
  await said('qwen.yaml is the manifest now');
  await page.evaluate(() => {
    FileSystemFileHandle.prototype.createWritable = async () => {
      throw new DOMException('the disk is full', 'QuotaExceededError');
    };
    FileSystemFileHandle.prototype.getFile = async () => {
      throw new DOMException('it is gone', 'NotFoundError');
    };
  });
  await page.keyboard.press('Control+s');
  await said('the file cannot be saved: the disk is full');
  await page.keyboard.press('Control+o');
  await said('the file cannot be opened: it is gone');
  assert.equal(await written(page), QWEN);
});

test('without pickers files are up- and downloaded', async () => {
  await withoutPickers();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Control+o')]);
  await chooser.setFiles({ name: 'qwen.yaml', mimeType: 'application/yaml', buffer: Buffer.from(QWEN) });
  await said('qwen.yaml is the manifest now');
  assert.equal(await written(page), QWEN);
  await write(page, OTHER);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  assert.equal(download.suggestedFilename(), 'qwen.yaml');
  assert.equal(await readFile(await download.path(), 'utf8'), OTHER);
});

test('a component is chosen from the menu of modules', { timeout: 120_000 }, async () => {
  await page.locator('#do-modules').click();
  const add = page.locator('.menu [role=menuitem]', { hasText: 'Add a component' });
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), add.click()]);
  await chooser.setFiles({ name: 'again.wasm', mimeType: 'application/wasm', buffer: await readFile(COMPONENT) });
  await said('again.wasm runs beside the built-in component', 60_000);
});

test('a dropped file is read', async () => {
  await drop(page, [{ name: 'qwen.yaml', text: QWEN }]);
  await status(page, '3 objects');
  assert.equal(await written(page), QWEN);
});

test('several dropped files are documents of one text', async () => {
  await drop(page, [
    { name: 'qwen.yaml', text: QWEN },
    { name: 'other.yaml', text: OTHER },
  ]);
  await status(page, '6 objects');
  assert.equal(await written(page), `${QWEN}\n---\n${OTHER}`);
});

/**
 * Replaces the dialogs, which a test cannot use. The replacements return real files, in the storage that the browser
 * has for the page. With a name, there is a file to choose.
 */
async function choosing(name, text) {
  await page.evaluate(
    async ([name, text]) => {
      const folder = await navigator.storage.getDirectory();
      for await (const old of folder.keys()) {
        await folder.removeEntry(old);
      }
      if (name) {
        const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
        await stream.write(text);
        await stream.close();
      }
      window.asked = [];
      window.showOpenFilePicker = async () => {
        window.asked.push('open');
        return [await folder.getFileHandle(name)];
      };
      window.showSaveFilePicker = async ({ suggestedName }) => {
        window.asked.push(`save ${suggestedName}`);
        return folder.getFileHandle(suggestedName, { create: true });
      };
    },
    [name, text],
  );
}

/** Makes the page one in a browser without the File System Access API, whose dialogs are events from now on. */
async function withoutPickers() {
  page.on('filechooser', () => {}); // `waitForEvent` alone begins to listen only while the key is pressed
  await page.evaluate(() => {
    for (const name of ['showOpenFilePicker', 'showSaveFilePicker']) {
      delete Window.prototype[name];
      delete window[name];
    }
  });
}

function asked() {
  return page.evaluate(() => window.asked);
}

function stored(name) {
  return page.evaluate(async (name) => {
    const folder = await navigator.storage.getDirectory();
    return (await (await folder.getFileHandle(name)).getFile()).text();
  }, name);
}

function said(text, timeout = 15_000) {
  return page.locator('#notice', { hasText: text }).waitFor({ timeout });
}
