/** The share of its cases that a large suite runs, where there is no time for all (`tests/src/share.rs`). */

const [rest, of] = (process.env.SAILPLANE_SHARE || '0/1').split('/').map(Number);
if (!(rest >= 0 && rest < of)) {
  throw new Error(`SAILPLANE_SHARE=${process.env.SAILPLANE_SHARE}: no share like 1/3`);
}

export function shareOf(cases) {
  return cases.filter((_, place) => place % of === rest);
}
