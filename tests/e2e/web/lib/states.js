/** The states of the page that people see, each with the steps that lead to it. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ROOT, status, useExample, write } from './browser.js';
import { drop } from './drop.js';
import { clusters, deployments } from './fleets.js';
import { misbehaving } from './misbehave.js';

const COMPONENT = resolve(ROOT, process.env.COMPONENT ?? 'target/web/sailplane.wasm');

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
  'loading-empty': async (page) => {
    await firstVisit(page);
  },
  loading: async (page) => {
    await firstVisit(page);
    await page.locator('.welcome .card').first().click();
    await status(page, 'Loading; edits are previewed later');
    await showText(page, 'manifest');
    await page.locator('#editor .cm-content').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('# more');
    await page.locator('#views.outdated').waitFor({ state: 'attached' });
    await view(page, 'result');
  },
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
  scene: async (page) => {
    await useScene(page, 'Two models that share a pool');
    await status(page, '4 objects');
  },
  menu: (page) => page.locator('#do-examples').click(),
  'menu-modules': (page) => page.locator('#do-modules').click(),
  'menu-about': async (page) => {
    const about = page.locator('#do-about');
    await ((await about.isVisible()) ? about : page.locator('#do-more')).click();
  },
  'menu-baseline': async (page) => {
    await STATES.diff(page);
    await page.locator('#do-baseline').click();
  },
  templates: (page) => showText(page, 'options'),
  linked: async (page) => {
    await useExample(page, 'llm-qwen');
    await page.evaluate(() => sessionStorage.clear());
    await page.locator((await page.locator('#do-share').isVisible()) ? '#do-share' : '#do-more').click();
    const item = page.locator('.menu:not([hidden]) [role=menuitem]', { hasText: 'Copy a link' });
    (await item.isVisible()) && (await item.click());
    await page.waitForURL(/#v1/);
    await page.reload();
    await status(page, '3 objects');
  },
  outline: async (page) => {
    await useExample(page, 'llm-kimi');
    await view(page, 'outline');
  },
  'outline-nothing': async (page) => {
    await STATES.outline(page);
    await page.locator('#outline-find').fill('nowhere');
    await page.locator('#view-outline .none').waitFor();
  },
  why: async (page) => {
    await useExample(page, 'llm-kimi');
    await view(page, 'why');
  },
  'why-narrowed': async (page) => {
    await STATES.outline(page);
    await page.locator('#outline-list [role=treeitem]', { hasText: 'VLLMRuntime' }).click();
    await view(page, 'why');
    await page.locator('#why-only', { hasText: 'Only VLLMRuntime' }).waitFor();
  },
  issues: async (page) => {
    await STATES.errors(page);
    await view(page, 'issues');
  },
  graph: async (page) => {
    await useExample(page, 'aws-eks-full');
    await view(page, 'graph');
  },
  'graph-large': async (page) => {
    await write(page, many(100));
    await status(page, '300 objects', 30_000);
    await view(page, 'graph');
    await page.locator('.graph-node').first().waitFor();
  },
  clusters: async (page) => {
    await showText(page, 'required');
    await write(page, await example('modelplane/classes'));
    await showText(page, 'manifest');
    const [eks, nebius] = await Promise.all([example('modelplane/cluster-eks'), example('modelplane/cluster-nebius')]);
    await write(page, `${eks}---\n${nebius}`);
    await status(page, 'object', 30_000);
    await view(page, 'clusters');
    await page.locator('#clusters-assume').click();
    await page.locator('.phase').first().waitFor();
  },
  'clusters-waiting': async (page) => {
    await useExample(page, 'aws-eks-full');
    await view(page, 'clusters');
  },
  budget: (page) => budget(page),
  'budget-compared': async (page) => {
    await budget(page);
    await page.locator('#budget-baseline').click();
    await page.locator('.menu [role=menuitem]', { hasText: 'This result' }).click();
    await page.locator('#budget-later').click();
    await page.locator('#budget-later').click();
    await page.locator('.situation', { hasText: 'asleep' }).first().waitFor();
  },
  plan: async (page) => {
    await showText(page, 'manifest');
    await write(page, await example('modelplane/fleet'));
    await status(page, 'object', 60_000);
    await view(page, 'plan');
    await page.locator('#plan-tables section').first().waitFor({ timeout: 60_000 });
    await change(page, 'scale', 'chat/qwen', 6);
    await change(page, 'drain', 'gke-us');
    await page.locator('#plan-tables .fate-moves').first().waitFor({ timeout: 60_000 });
  },
  diff: async (page) => {
    await write(page, QWEN);
    await status(page, '3 objects');
    await view(page, 'result');
    await page.locator('#do-compare').click();
    await page.locator('#do-baseline').click();
    await page.locator('.menu [role=menuitem]', { hasText: 'This result' }).click();
    await write(page, QWEN.replace('gpu: 1', 'gpu: 4'));
    await page.locator('#changes', { hasText: 'objects' }).waitFor({ state: 'attached' });
    await view(page, 'result');
  },
  'fleet-table': async (page) => {
    await fleet(page, clusters(3));
    await page.locator('#fleet-show').selectOption('table');
  },
  'fleet-3': (page) => fleet(page, clusters(3, { busy: true })),
  'fleet-place': async (page) => {
    await fleet(page, clusters(3, { busy: true }));
    await page.locator('#fleet-places .fleet-card', { hasText: 'gpu-0001' }).locator('.fleet-name').click();
    await page.locator('#fleet-panel h2', { hasText: 'gpu-0001' }).waitFor();
  },
  'fleet-100': async (page) => {
    await fleet(page, clusters(100, { busy: true }));
    await page.locator('#fleet-group').selectOption('class');
  },
  'fleet-1000': async (page) => {
    await fleet(page, clusters(1_000));
    await page.locator('.fleet-link', { hasText: 'research/giant' }).click();
    await page.locator('.fleet-link', { hasText: 'have no device' }).click();
  },
  completion: async (page) => {
    await write(page, QWEN.replace(/  ingressHost.*$/s, '  '));
    await page.keyboard.press('Control+Space');
    await page.locator('#editor .cm-completionInfo').waitFor();
  },
  failed: async (page) => {
    await write(page, QWEN);
    await status(page, '3 objects');
    await drop(page, [{ name: 'trap.wasm', bytes: misbehaving(await readFile(COMPONENT), 'trap') }], '#views');
    await page.locator('#banner button', { hasText: 'Try again' }).waitFor({ state: 'attached', timeout: 60_000 });
    await view(page, 'result');
  },
  shortcuts: async (page) => {
    await page.keyboard.press('F1');
    await page.locator('#shortcuts[open]').waitFor();
  },
};

/** Opens the page as for the first time, while the component does not arrive. Returns what lets it arrive. */
export async function firstVisit(page) {
  let arrive;
  const held = new Promise((resolve) => {
    arrive = resolve;
  });
  await page.route(/sailplane\.core[^/]*\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(new URL('/', page.url()).href, { waitUntil: 'commit' });
  await page.locator('.welcome .card').first().waitFor();
  return arrive;
}

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

/** Chooses the scene with this title, by the menu. */
export async function useScene(page, title) {
  await page.locator('#do-examples').click();
  await page.locator('.menu [role=menuitem]', { hasText: title }).click();
}

/** Three models in a pool of 100Gi, and the Deployments of two: one serves, the other was last asked for earlier. */
export async function budget(page, { clock = '2026-01-31T12:05:00Z' } = {}) {
  const [qwen3, llama] = (await example('inference-model/model-shared-pool')).split('---\n');
  const held = `status:
  {reservedMemory: 60Gi, reservedPool: inference-pool=gpu-a100, reservation: Confirmed, claimedAt: "2026-01-31T11:00:00Z"}
`;
  const small = qwen3.replaceAll('qwen3', 'bge').replaceAll('60Gi', '8Gi');
  await showText(page, 'options');
  await write(page, (await example('inference-model/options-pools')).replace('gpu-a100: 160Gi', 'gpu-a100: 100Gi').replace(/  poolsFrom:\n.*\n.*\n/, ''));
  await showText(page, 'observed');
  await write(page, [observed('qwen3', '2026-01-31T12:00:00Z', 1), observed('llama', '2026-01-31T11:50:00Z', 0)].join('---\n'));
  // Before the manifest, so that the first result is of this time.
  await page.locator('#clock').fill(clock);
  await page.locator('#clock').press('Enter');
  await showText(page, 'manifest');
  await write(page, [qwen3 + held, llama, small].join('---\n'));
  await status(page, /object/, 30_000);
  await view(page, 'budget');
  await page.locator('.pool').first().waitFor();
}

/** Tries a change in the plan. */
export async function change(page, kind, target, number) {
  await page.locator('#plan-kind').selectOption(kind);
  await page.locator('#plan-target').fill(target);
  if (number !== undefined) {
    await page.locator('#plan-number').fill(String(number));
  }
  await page.locator('#plan-form [type=submit]').click();
}

/** The Deployment of a model, as it is observed. */
function observed(name, asked, pods) {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: models
  labels: {crossplane.io/composite: ${name}}
  annotations:
    crossplane.io/composition-resource-name: deployment
    inference.eh-ops.io/last-request-time: "${asked}"
spec: {replicas: ${pods}}
status: {replicas: ${pods}, readyReplicas: ${pods}, availableReplicas: ${pods}}
`;
}

/** The text of a manifest in `examples`. */
export function example(name) {
  return readFile(resolve(ROOT, `examples/${name}.yaml`), 'utf8');
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
  if (await page.locator(`#view-${name}`).isVisible()) {
    return; // in a wide window some views have a place of their own
  }
  // A tab may come with the next result.
  await page.locator(`#tab-${name}, #bottom [data-view=${name}]`).filter({ visible: true }).first().click();
  await page.locator(`#view-${name}`).waitFor({ state: 'visible' });
}
