/** The time that compositions are told. */

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The seconds since 1970 of a time in RFC 3339; undefined when it is none, or earlier. */
export function secondsOf(text: string): bigint | undefined {
  const [, year, month, day] = RFC_3339.exec(text)?.map(Number) ?? [];
  const millis = Date.parse(text);
  if (year === undefined || month === undefined || day === undefined || !(millis >= 0)) {
    return undefined;
  }
  // Engines let days run on into the next month.
  const known = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
  return known ? BigInt(Math.floor(millis / 1000)) : undefined;
}
