/** Clusters: their pools and phases, and what they wait for. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample } from './lib/browser.js';
import { STATES, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('a cluster has its cloud, its region, its pools, and what it waits for', async () => {
  await useExample(page, 'aws-eks-full');
  await view(page, 'clusters');
  assert.equal(await page.locator('#clusters-count').textContent(), '1 cluster');
  assert.equal(await page.locator('.cluster h2').textContent(), 'a-team/a-team-fullClusteraws · us-east-1');
  assert.equal(await page.locator('.cluster-about').textContent(), '3 of 34 objects ready');
  assert.deepEqual(await cells(0), ['a-team-full', '3 to 10', '–', 't3.medium']);
  assert.match(await page.locator('.cluster .conditions').textContent(), /ControlPlaneReady=False Waiting not created yet/);
  assert.equal(await page.locator('.phase').count(), 0);
});

test('with all ready there are phases in order, and a phase selects its first object in all views', async () => {
  await STATES.clusters(page);
  assert.deepEqual(await page.locator('.cluster-name').allTextContents(), [
    'eks-west',
    'modelplane-system/eks-west',
    'modelplane-system/eks-west-serving-stack-7f497',
    'nebius-eu',
    'modelplane-system/nebius-eu',
    'modelplane-system/nebius-eu-serving-stack-40559',
  ]);
  assert.deepEqual(await cells(0), ['h200', '4', '8 × gpu', 'eks-h200-8x-efa']);
  assert.match(await page.locator('.cluster').nth(1).textContent(), /57 of 57 objects ready, for InferenceCluster eks-west/);
  const phases = page.locator('.cluster').nth(1).locator('.phase');
  assert.deepEqual(await phases.locator('.phase-words').allTextContents(), [
    'at once',
    'waits for the control plane, and for the id of the file system',
  ]);
  await phases.nth(1).click();
  assert.equal(await phases.nth(1).getAttribute('aria-pressed'), 'true');
  assert.equal(await phases.nth(0).getAttribute('aria-pressed'), 'false');
  await view(page, 'outline');
  assert.match(await page.locator('#outline-list [aria-selected=true]').textContent(), /eks-west/);
  await view(page, 'result');
  await page.locator('#output .cm-linked').first().waitFor();
});

test('what is selected elsewhere is selected here, in sight; words leave fewer clusters', async () => {
  await STATES.clusters(page);
  await page.locator('.cluster-name').last().click();
  await view(page, 'outline');
  await view(page, 'clusters');
  const selected = page.locator('.cluster.selected');
  assert.match(await selected.locator('h2').textContent(), /nebius-eu-serving-stack/);
  const stage = await page.locator('#stage').boundingBox();
  const box = await selected.boundingBox();
  assert.ok(box.y >= stage.y && box.y < stage.y + stage.height, 'it is in sight');
  await page.locator('#clusters-find').fill('us-west h200');
  assert.equal(await page.locator('#clusters-count').textContent(), '2 clusters');
});

test('the tab is there only when something becomes a cluster', async () => {
  await useExample(page, 'llm-qwen');
  await status(page, '3 objects');
  assert.equal(await page.locator('#tab-clusters').isVisible(), false);
  await useExample(page, 'cluster-gke');
  await page.locator('#tab-clusters').waitFor();
  await page.keyboard.press('Alt+u');
  await page.locator('#view-clusters').waitFor({ state: 'visible' });
  assert.match(await page.locator('.cluster').textContent(), /GKE · europe-west4.*l40 to 8–gke-l4-1x-g2.*Waiting for InferenceClasses: gke-l4-1x-g2/s);
});

function cells(cluster) {
  return page.locator('.cluster').nth(cluster).locator('tbody tr').first().locator('th, td').allTextContents();
}
