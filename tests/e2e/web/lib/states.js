/** The states of the page that people see, each with the steps that lead to it. */

import { status, useExample, write } from './browser.js';
import { clusters, deployments } from './fleets.js';

export const QWEN = `apiVersion: inference.devopstoolkit.ai/v1alpha1
kind: LLMInference
metadata:
  name: qwen
  namespace: default
spec:
  model: Qwen/Qwen2.5-1.5B-Instruct
  gpu: 1
  ingressHost: qwen.127.0.0.1.nip.io
  providerConfigName: gpu-cluster
`;

/** A manifest with two misspelled fields, one of them required. */
export const MISSPELLED = QWEN.replace('gpu: 1', 'gpus: 1').replace('providerConfigName', 'providrConfigName');

/** A text with this number of composites. */
export function many(number) {
  return Array.from({ length: number }, (_, index) => QWEN.replaceAll('qwen', `qwen-${index}`)).join('---\n');
}

export const STATES = {
  empty: async () => {},
  example: (page) => useExample(page, 'llm-kimi'),
  errors: async (page) => {
    await useExample(page, 'llm-kimi');
    await write(page, MISSPELLED);
    await status(page, '3 errors');
  },
  large: async (page) => {
    await write(page, many(300));
    await status(page, '900 objects', 30_000);
  },
  tree: async (page) => {
    await useExample(page, 'llm-kimi');
    await view(page, 'tree');
  },
  why: async (page) => {
    await useExample(page, 'llm-kimi');
    await view(page, 'why');
  },
  'fleet-3': (page) => fleet(page, clusters(3, { busy: true })),
  'fleet-100': async (page) => {
    await fleet(page, clusters(100, { busy: true }));
    await page.locator('#fleet-group').selectOption('class');
  },
  'fleet-1000': async (page) => {
    await fleet(page, clusters(1_000));
    await page.locator('.fleet-link', { hasText: 'research/giant' }).click();
    await page.locator('.fleet-link', { hasText: 'have no device' }).click();
  },
  shortcuts: async (page) => {
    await page.keyboard.press('F1');
    await page.locator('#shortcuts[open]').waitFor();
  },
};

/** Shows deployments in a fleet, which is among the required objects. */
export async function fleet(page, required, manifest = deployments()) {
  await showText(page, 'required');
  await write(page, required);
  await showText(page, 'manifest');
  await write(page, manifest);
  await status(page, 'object', 60_000);
  await view(page, 'fleet');
  await page.locator('#fleet-places .fleet-card').first().waitFor();
}

/** Shows a text, on a narrow screen too. */
export async function showText(page, name) {
  const texts = page.locator('#bottom [data-view=texts]');
  if (await texts.isVisible()) {
    await texts.click();
  }
  await page.locator(`#tab-${name}`).click();
}

/** Chooses a view by its tab, or on a narrow screen by the buttons at the bottom. */
export async function view(page, name) {
  const tab = page.locator(`#tab-${name}`);
  await ((await tab.isVisible()) ? tab : page.locator(`#bottom [data-view=${name}]`)).click();
  await page.locator(`#view-${name}`).waitFor({ state: 'visible' });
}
