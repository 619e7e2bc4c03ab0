/** Numbers with their units. */

import type { Amount as Counted } from '../contract.ts';

export interface Amount {
  value: number;
  unit: string;
}

/** An amount of the contract, whose number is a 64-bit integer. */
export function amountOf({ value, unit }: Counted): Amount {
  return { value: Number(value), unit };
}

const FORMAT = new Intl.NumberFormat('en'); // `toLocaleString` makes one for each number

/** A number with commas: `81,920`. */
export function grouped(value: number): string {
  return Math.abs(value) < 1_000 && Number.isInteger(value) ? String(value) : FORMAT.format(value);
}

/** The unit as it follows a number: one of several things is one thing. */
export function unitOf(value: number, unit: string): string {
  return value === 1 && unit.endsWith('s') ? unit.slice(0, -1) : unit;
}

/** `1 node`, `2 nodes`, `81,920 MiB`. */
export function counted({ value, unit }: Amount): string {
  return `${grouped(value)} ${unitOf(value, unit)}`;
}
