/** The time at which composites are composed. */

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** The seconds since 1970 of a time in RFC 3339, whose letters may be lower case. Undefined when it is no time, or earlier. */
export function secondsOf(text: string): bigint | undefined {
  const [, year, month, day] = RFC_3339.exec(text)?.map(Number) ?? [];
  const millis = Date.parse(text.toUpperCase());
  if (year === undefined || month === undefined || day === undefined || !(millis >= 0)) {
    return undefined;
  }
  // JavaScript accepts the 31st of a shorter month, as a day of the next one.
  const known = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
  return known ? BigInt(Math.floor(millis / 1000)) : undefined;
}
