import * as t from 'io-ts';
import { Described, Nullable } from './combinators.js';
import { StringCodec, type StringShape } from './text-and-numbers.js';

export interface TimestampBrand {
  readonly Timestamp: unique symbol;
}

const shape = {
  pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  format: 'date-time',
} satisfies StringShape;

/** The same without months, days, hours, minutes and seconds that never exist. */
const inRange = /^.{5}(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/;

/** Whether the day and the time exist. `Date` reads 31 February as 3 March. */
const isRealMoment = (text: string): boolean => {
  const day = Number(text.slice(8, 10));
  return inRange.test(text) && (day <= 28 || new Date(text).getUTCDate() === day);
};

/** What is expected of a text that has the form of a timestamp; undefined for any other text. */
const expectedInstead = (text: string): string | undefined => {
  if (!shape.pattern.test(text)) return undefined;
  return isRealMoment(`${text.slice(0, 11)}00:00:00.000Z`)
    ? 'a time of day that exists'
    : 'a day that exists';
};

/**
 * A timestamp of the contract (section 2): ISO 8601 in UTC with exactly three decimals, such as
 * `2026-11-20T12:00:00.000Z`. Timestamps sort as text.
 */
export const Timestamp = new StringCodec<t.Branded<string, TimestampBrand>>(
  'timestamp (YYYY-MM-DDTHH:mm:ss.sssZ)',
  shape,
  isRealMoment,
  expectedInstead,
);
export type Timestamp = t.Branded<string, TimestampBrand>;

/** The first and the last moment that a timestamp can name. */
export const earliest = /* @__PURE__ */ Date.parse('0000-01-01T00:00:00.000Z');
export const latest = /* @__PURE__ */ Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The timestamp of a moment in milliseconds since the epoch; throws for NaN. Moments outside the years 0000
 * to 9999 are clamped, because a shifted "never expires" date can exceed four digits.
 */
export const timestampAt = (milliseconds: number): Timestamp => {
  const text = new Date(Math.min(Math.max(Math.trunc(milliseconds), earliest), latest)).toISOString();
  if (!Timestamp.is(text)) throw new RangeError(`${milliseconds} is not a valid time`);
  return text;
};

export const millisecondsOf = (timestamp: Timestamp): number => Date.parse(timestamp);

/** Moves timestamps by a number of milliseconds, which is not NaN. */
export const timestampShift =
  (milliseconds: number) =>
  (timestamp: Timestamp): Timestamp =>
    timestampAt(millisecondsOf(timestamp) + milliseconds);

/** A timestamp that people write: it is read without milliseconds, too, and then gets them. */
export class UtcTimeCodec extends t.Type<Timestamp, string, unknown> {
  constructor(
    name: string,
    /** Of the texts that people may write. */
    readonly shape: StringShape,
  ) {
    super(
      name,
      Timestamp.is,
      (u, c) => {
        if (Timestamp.is(u)) return t.success(u);
        const text = typeof u === 'string' ? u.replace(/(:\d{2})Z$/, '$1.000Z') : '';
        return Timestamp.is(text) ? t.success(text) : t.failure(u, c, expectedInstead(text));
      },
      t.identity,
    );
  }
}

export const UtcTime = /* @__PURE__ */ new UtcTimeCodec('a moment in UTC such as 2026-11-20T12:00:00Z', {
  ...shape,
  pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/,
});

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const short = /^(?:\d{1,12}(?:\.\d{1,3})?(?:ms|s|m|h|d|w))+$/;

/** ISO 8601, without years and months, which have no fixed length. */
const iso =
  /^P(?=\d|T\d)(?:\d{1,9}W)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,12}(?:\.\d{1,3})?S)?)?$/;

const millisecondsIn = (text: string): number | null => {
  if (!short.test(text) && !iso.test(text)) return null;
  const parts = Array.from(text.toLowerCase().matchAll(/([\d.]+)(ms|[smhdw])/g));
  return parts.reduce((total, [, count = '', unit = '']) => total + Number(count) * (units[unit] ?? 0), 0);
};

/** A span of time in milliseconds, written as `-1h30m` or as `PT2H` (ISO 8601). A day has 24 hours. */
export class DurationCodec extends t.Type<number, string, unknown> {
  constructor(name: string, isAllowed: (milliseconds: number) => boolean) {
    super(
      name,
      (u): u is number => typeof u === 'number' && Number.isInteger(u) && isAllowed(u),
      (u, c) => {
        const milliseconds = typeof u === 'string' ? millisecondsIn(u.replace(/^[+-]/, '')) : null;
        const signed = Math.round((milliseconds ?? 0) * (String(u).startsWith('-') ? -1 : 1));
        return milliseconds !== null && isAllowed(signed) ? t.success(signed) : t.failure(u, c);
      },
      (milliseconds) => `${milliseconds < 0 ? '-' : ''}${Math.abs(milliseconds)}ms`,
    );
  }
}

export const Duration = /* @__PURE__ */ new DurationCodec(
  'a duration such as 30s, 1h30m, 2d or PT2H',
  () => true,
);

/** Whether a codec is that of a moment, or of one or null. */
export const isDate = (codec: t.Mixed | undefined): boolean =>
  codec === UtcTime ||
  codec === Timestamp ||
  ((codec instanceof Described || codec instanceof Nullable) && isDate(codec.codec));
