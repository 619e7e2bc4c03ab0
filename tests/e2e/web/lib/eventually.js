/** What holds soon, though not at once. */

import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `attempt` until it succeeds, and returns its result. When it takes longer than `millis`, its last error is thrown. */
export async function eventually(attempt, millis = 40_000) {
  for (const end = Date.now() + millis; ; await sleep(50)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
    }
  }
}
