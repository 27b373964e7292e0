import * as t from 'io-ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: second,
  m: minute,
  h: hour,
  d: day,
  w: 7 * day,
};

const short = /^(?:\d{1,12}(?:\.\d{1,3})?(?:ms|s|m|h|d|w))+$/;
const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g;

/** ISO 8601, without years and months, which have no fixed length. */
const iso =
  /^P(?=\d|T\d)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12}(?:\.\d{1,3})?)S)?)?$/;

const isoUnits = [7 * day, day, hour, minute, second];

const millisecondsIn = (text: string): number | null => {
  if (short.test(text)) {
    return Array.from(text.matchAll(part)).reduce(
      (total, [, count = '', unit = '']) => total + Number(count) * (units[unit] ?? 0),
      0,
    );
  }
  const parts = iso.exec(text)?.slice(1);
  return (
    parts?.reduce((total, count, index) => total + Number(count ?? 0) * (isoUnits[index] ?? 0), 0) ?? null
  );
};

/**
 * A span of time in milliseconds, written as `30s`, `1h30m`, `250ms` or in ISO 8601 as `PT2H`. A sign may
 * come first. A day has 24 hours.
 */
export const Duration = new t.Type<number, string, unknown>(
  'a duration such as 30s, 1h30m, 2d or PT2H',
  (u): u is number => Number.isInteger(u),
  (u, c) => {
    if (typeof u !== 'string') return t.failure(u, c);
    const milliseconds = millisecondsIn(u.replace(/^[+-]/, ''));
    if (milliseconds === null) return t.failure(u, c);
    return t.success(Math.round(u.startsWith('-') ? -milliseconds : milliseconds));
  },
  (milliseconds) => `${milliseconds < 0 ? '-' : ''}${Math.abs(milliseconds)}ms`,
);
