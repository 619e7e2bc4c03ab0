/**
 * Firefox and WebKit, as Debian has them. Each is driven by the standard protocol that it speaks itself: WebDriver BiDi and
 * WebDriver. They have the little that a visitor does with mouse and keyboard.
 */

import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import puppeteer from 'puppeteer-core';
import { Builder, Capabilities, Key, Origin } from 'selenium-webdriver';
import { eventually } from './eventually.js';

export const ENGINES = { Firefox: firefox, WebKit: webkit };

const [WIDTH, HEIGHT] = [1440, 900];

async function firefox() {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: '/usr/bin/firefox-esr', timeout: 90_000 });
  const page = await browser.newPage();
  await page.setViewport({ width: WIDTH, height: HEIGHT });
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  return {
    version: await browser.version(),
    errors: async () => errors,
    goto: (url) => page.goto(url),
    evaluate: (what, ...values) => page.evaluate(what, ...values),
    clickAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    async press(key) {
      const [held, pressed] = chord(key);
      if (held) {
        await page.keyboard.down(held);
      }
      await page.keyboard.press(pressed);
      if (held) {
        await page.keyboard.up(held);
      }
    },
    screenshot: (path) => page.screenshot({ path }),
    close: () => browser.close(),
  };
}

async function webkit() {
  const [port, number] = [await freePort(), 90 + (process.pid % 900)];
  const started = [
    spawn('Xvfb', [`:${number}`, '-screen', '0', `${WIDTH + 200}x${HEIGHT + 300}x24`], { stdio: 'ignore' }),
    // Root has no sandbox of WebKit's to go into.
    spawn('WebKitWebDriver', [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: `:${number}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    }),
  ];
  const binary = readdirSync('/usr/lib').map((each) => `/usr/lib/${each}/webkit2gtk-4.1/MiniBrowser`).find(existsSync);
  const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args: ['--automation'] } });
  // It listens a moment after it was started.
  const driver = await eventually(() => new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build());
  await driver.manage().window().setRect({ x: 0, y: 0, width: WIDTH, height: HEIGHT });
  const keys = { Control: Key.CONTROL, Meta: Key.META, Shift: Key.SHIFT, Alt: Key.ALT, Enter: Key.ENTER, Escape: Key.ESCAPE, Home: Key.HOME, End: Key.END, Backspace: Key.BACK_SPACE, Tab: Key.TAB };
  return {
    version: `webkitgtk/${(await driver.getCapabilities()).getBrowserVersion()}`,
    errors: () => driver.executeScript('return window.errorsSeen ?? []'),
    async goto(url) {
      await driver.get(url);
      await driver.executeScript(`addEventListener('error', ({ message }) => (window.errorsSeen ??= []).push(message))`);
    },
    evaluate: (what, ...values) => driver.executeScript(`return (${what})(...arguments)`, ...values),
    clickAt: (x, y) => driver.actions().move({ x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT }).click().perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    async press(key) {
      const [held, pressed] = chord(key);
      const actions = driver.actions();
      held && actions.keyDown(keys[held]);
      actions.sendKeys(keys[pressed] ?? pressed);
      held && actions.keyUp(keys[held]);
      await actions.perform();
    },
    screenshot: async (path) => writeFile(path, await driver.takeScreenshot(), 'base64'),
    async close() {
      await driver.quit();
      started.reverse().forEach((process) => process.kill());
    },
  };
}

/** The key that is held, if any, and the one that is pressed: of `Control+z`, `Control` and `z`. */
function chord(key) {
  const [, held, pressed = key] = /^(Control|Meta|Shift|Alt)\+(.+)$/.exec(key) ?? [];
  return [held, pressed];
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
