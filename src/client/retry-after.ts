/**
 * The milliseconds to wait that a `Retry-After` asks for (RFC 9110, section 10.2.3), as a number of seconds or as a date;
 * null where there is none, or it is neither.
 */
export const parseRetryAfter = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
};
