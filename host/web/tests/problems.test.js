/** Problems: of previews, checks and compositions in one list, and which one the keyboard goes to. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { together, nextProblem, fixableProblem } = await load('render/diagnostics.ts', 'editor/nearby.ts');

const at = (line) => ({ text: 0, document: 0, line, column: 1, endLine: line, endColumn: 2 });
const found = (message, line) => ({
  gravity: 'warning',
  problem: { path: '', code: 'invalid', message },
  location: at(line),
});
const composed = (line, ...messages) => ({
  ...(line && { origin: at(line) }),
  composites: [{ events: messages.map((message) => ({ severity: 'warning', message })) }],
});

test('a warning of a composition is where the check has it, or at its composite', () => {
  const check = (checked, all, ...expected) =>
    assert.deepEqual(
      together([], checked, all).map(({ location, problem }) => [location?.line, problem.message]),
      expected,
    );
  check([found('a', 3)], [composed(1, 'a', 'b')], [1, 'b'], [3, 'a']);
  check([], [composed(4, 'a'), composed(1, 'a')], [1, 'a'], [4, 'a']);
  check([], [composed(undefined, 'a'), composed(2)], [undefined, 'a']);
  const normal = { origin: at(1), composites: [{ events: [{ severity: 'normal', message: 'a' }] }] };
  check([], [normal]);
});

const problem = (text, from, to, fix) => ({ text, span: { from, to }, diagnostic: { problem: { path: 'a', fix } } });

test('the next problem is behind the cursor, in the texts after it, and then the first', () => {
  const all = [problem('options', 2, 3), problem('manifest', 9, 10), problem('manifest', 4, 5)];
  const check = (text, position, ...expected) => {
    const next = nextProblem(all, text, position);
    assert.deepEqual([next.text, next.span.from], expected);
  };
  check('manifest', 0, 'manifest', 4);
  check('manifest', 4, 'manifest', 9);
  check('manifest', 9, 'options', 2);
  check('observed', 5, 'options', 2);
  check('options', 2, 'manifest', 4);
  assert.equal(nextProblem([], 'manifest', 0), undefined);
});

test('the problem to fix is at the cursor, or in its line', () => {
  const fix = { tag: 'remove' };
  const all = [problem('manifest', 2, 3), problem('manifest', 4, 5, fix), problem('manifest', 8, 9, fix)];
  const check = (text, position, expected) =>
    assert.equal(fixableProblem(all, text, position, { from: 0, to: 10 })?.span.from, expected);
  check('manifest', 8, 8);
  check('manifest', 0, 4);
  check('options', 8, undefined);
});
