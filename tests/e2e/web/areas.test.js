/** Large results: they are folded by area, and what somebody opened stays open. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('a large result is folded by area, and an area that was opened stays open', async () => {
  await useExample(page, 'aws-eks-full');
  await status(page, '35 objects');
  await lookAt('# network: 20 objects');
  assert.deepEqual(await headings(), ['network', 'control plane', 'pools', 'access', 'software']);
  assert.equal(await page.locator('#output .cm-line', { hasText: 'kind: VPC' }).count(), 0);
  const heading = page.locator('#output .cm-line', { hasText: '# pools: 1 object' });
  await heading.locator('.cm-foldPlaceholder').click();
  const pool = page.locator('#output .cm-line', { hasText: 'desiredSize: 3' });
  await pool.waitFor();
  await write(page, (await written(page)).replace('minNodeCount: 3', 'minNodeCount: 4'));
  await page.locator('#output .cm-line', { hasText: 'desiredSize: 4' }).waitFor();
  assert.equal(await page.locator('#output .cm-line', { hasText: '# network: 20 objects' }).locator('.cm-foldPlaceholder').count(), 1);
});

test('in an area that was opened, very long objects are folded', async () => {
  await useExample(page, 'gateway');
  await status(page, 'object');
  const heading = page.locator('#output .cm-line', { hasText: '# definitions: 9 objects' });
  await heading.locator('.cm-foldPlaceholder').click();
  const routes = page.locator('#output .cm-line', { hasText: 'CustomResourceDefinition httproutes' });
  await lookAt('CustomResourceDefinition httproutes');
  assert.equal(await routes.locator('.cm-foldPlaceholder').count(), 1);
  const grants = page.locator('#output .cm-line', { hasText: 'CustomResourceDefinition referencegrants' });
  await lookAt('CustomResourceDefinition referencegrants');
  assert.equal(await grants.locator('.cm-foldPlaceholder').count(), 0);
});

test('a line of a text is coloured as such, also where its key is out of sight', async () => {
  await useExample(page, 'gateway');
  await status(page, 'object');
  await page.locator('#output .cm-line', { hasText: '# definitions: 9 objects' }).locator('.cm-foldPlaceholder').click();
  await lookAt('CustomResourceDefinition gateways');
  await page.locator('#output .cm-line', { hasText: 'CustomResourceDefinition gateways' }).locator('.cm-foldPlaceholder').click();
  const like = 'Listeners are considered _compatible_ if:'; // like a key
  await lookAt(like);
  const colour = (text) =>
    page.locator('#output .cm-line', { hasText: text }).first().locator('span').last().evaluate((span) => getComputedStyle(span).color);
  const found = await colour(like);
  await lookAt('Support: Core');
  assert.equal(await colour('Support: Core'), found);
  await lookAt('listKind: GatewayList');
  assert.equal(await colour('listKind: GatewayList'), found);
  const key = page.locator('#output .cm-line', { hasText: 'listKind: GatewayList' }).locator('span', { hasText: 'listKind' });
  assert.notEqual(await key.evaluate((span) => getComputedStyle(span).color), found);
});

test('a composite of another name has its areas folded', async () => {
  await useExample(page, 'aws-eks-full');
  await status(page, '35 objects');
  await lookAt('# pools: 1 object');
  await page.locator('#output .cm-line', { hasText: '# pools: 1 object' }).locator('.cm-foldPlaceholder').click();
  const pool = page.locator('#output .cm-line', { hasText: 'desiredSize: 3' });
  await pool.waitFor();
  await write(page, (await written(page)).replace('name: a-team-full', 'name: another'));
  await pool.waitFor({ state: 'detached' });
  await lookAt('# pools: 1 object');
  const pools = page.locator('#output .cm-line', { hasText: '# pools: 1 object' });
  assert.equal(await pools.locator('.cm-foldPlaceholder').count(), 1);
});

test('the outline has areas, which open by keyboard, and an object in a folded area is shown', async () => {
  await useExample(page, 'aws-eks-full');
  await status(page, '35 objects');
  await view(page, 'outline');
  const rows = page.locator('#outline-list [role=treeitem]');
  assert.deepEqual(await rows.locator('.node-area').allTextContents(), ['network', 'control plane', 'pools', 'access', 'software']);
  assert.equal(await rows.count(), 6);
  await rows.nth(3).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await rows.count(), 7);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('#output .cm-linked', { hasText: ': NodeGroup ' }).waitFor();
  await view(page, 'outline');
  assert.equal(await rows.count(), 7, 'what was opened is open');
});

test('of a small result only what nobody reads is folded', async () => {
  await useExample(page, 'llm-qwen');
  await status(page, '3 objects');
  await page.locator('#output .cm-line', { hasText: '# ingress: Ingress default/qwen, on cluster gpu-cluster' }).waitFor();
  const folded = await page.locator('#output .cm-foldPlaceholder').allTextContents();
  const labels = new Set(folded.map((label) => label.replace(/-\w{12}$/, '-…')));
  assert.ok(labels.has('wrapped by Object default/qwen-…') && labels.has('more of the wrapper'), [...labels].join());
  assert.equal(await page.locator('#output .cm-line', { hasText: 'ownerReferences' }).count(), 0);
  await page.locator('#output .cm-line', { hasText: 'pathType: Prefix' }).waitFor();
});

test('completion says what is in a size', async () => {
  await useExample(page, 'aws-eks-full');
  await status(page, '35 objects');
  await write(page, (await written(page)).replace('nodeSize: medium', 'nodeSize: '));
  const line = page.locator('#editor .cm-line', { hasText: 'nodeSize:' });
  await line.click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Space');
  const options = page.locator('#editor .cm-tooltip-autocomplete > ul > li');
  await options.first().waitFor();
  const large = options.filter({ hasText: 'large' });
  assert.match(await large.textContent(), /t3\.large on AWS, Standard_D4_v2 on Azure, e2-standard-16 on Google Cloud/);
});

test('completion says which GPUs a machine type has', async () => {
  await useExample(page, 'classes');
  await write(page, (await written(page)).replace('machineType: g2-standard-8', 'machineType: '));
  await page.locator('#editor .cm-content').focus();
  await page.keyboard.press('Control+Home'); // only lines in sight are there
  const line = page.locator('#editor .cm-line', { hasText: 'machineType:' }).first();
  await line.click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Space');
  const options = page.locator('#editor .cm-tooltip-autocomplete > ul > li');
  await options.first().waitFor();
  assert.match(await options.filter({ hasText: 'a3-highgpu-8g' }).textContent(), /8 H100/);
});

/** Scrolls the result to a line. */
async function lookAt(text) {
  await page.evaluate((text) => {
    const { view } = document.querySelector('#output').shadowRoot.querySelector('.cm-content').cmTile;
    const at = view.state.doc.toString().indexOf(text);
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    view.scrollDOM.scrollTop += 300;
  }, text);
  await page.locator('#output .cm-line', { hasText: text }).waitFor();
}

async function headings() {
  const lines = await page.locator('#output .cm-line', { hasText: /^# [a-z ]+: \d+ objects?/ }).allTextContents();
  return lines.map((line) => /^# ([a-z ]+):/.exec(line)?.[1]);
}
