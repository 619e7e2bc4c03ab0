/**
 * The native answers, which those of the browser are compared with.
 *
 * `target/web/cases.jsonl` (or `$CASES`) has a case in each line:
 *
 *     {"name": "llm-inference/kimi", "door": "compose.compose", "arguments": […], "answer": "…"}
 *
 * `arguments` are values of the contract as serde writes them. `answer` is the text that `serde_json::to_string` prints
 * for the answer.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ROOT } from './browser.js';

const CASES = resolve(ROOT, process.env.CASES ?? 'target/web/cases.jsonl');

/** Every case, or those of one door. There is at least one. */
export async function cases(door) {
  const text = await readFile(CASES, 'utf8').catch(() => assert.fail(`${CASES} is missing: \`make e2e-web\` writes it`));
  const all = text.trimEnd().split('\n').map((line) => JSON.parse(line));
  const wanted = all.filter((each) => !door || each.door === door);
  assert.ok(wanted.length > 0, 'there is no case');
  return wanted;
}
