import * as t from 'io-ts';
import { SecretString, StringCodec } from '../../contract/codecs/text-and-numbers.js';
import { SettingCodec } from './setting-codec.js';

/** Text of a certain form; `name` says which. */
const textOf = (name: string, pattern: RegExp): StringCodec<string> =>
  new StringCodec(name, { pattern }, (u): u is string => typeof u === 'string' && pattern.test(u));

/** Whole numbers between two bounds, both included; `name` says so. */
export const integerBetween = (name: string, min: number, max: number) =>
  new SettingCodec<number>(
    name,
    (u): u is number => Number.isInteger(u) && Number(u) >= min && Number(u) <= max,
    (u, c) => {
      const value = typeof u === 'string' && /^[0-9]+$/.test(u) ? Number(u) : Number.NaN;
      return value >= min && value <= max ? t.success(value) : t.failure(u, c);
    },
    { type: 'integer', minimum: min, maximum: max },
  );

/** A TCP port. The system chooses a free one for 0. */
export const Port = integerBetween('a port from 0 to 65535', 0, 65535);

const day = 24 * 60 * 60 * 1000;

/**
 * A delay in milliseconds. Node's timers end at 2^31 milliseconds, and more than a day is surely a mistake.
 */
export const Milliseconds = integerBetween(`milliseconds from 0 to ${day}`, 0, day);

/**
 * A timeout for the database in milliseconds: long enough for a query, short enough for a client that waits.
 */
export const DatabaseTimeout = integerBetween('milliseconds from 10 to 60000', 10, 60_000);

/** How long a migration may wait for a lock in milliseconds. Zero would be no limit to PostgreSQL. */
export const LockTimeout = integerBetween('milliseconds from 10 to 60000', 10, 60_000);

/** The beginning of role names: what PostgreSQL takes without quotes, and not the names it reserves. */
export const RolePrefix = textOf(
  'a prefix of up to 40 lower-case letters, digits and underscores that does not start with pg_',
  /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/,
);

/** A timeout for a response in milliseconds. Zero would let no request succeed. */
export const RequestTimeout = integerBetween(`milliseconds from 1 to ${day}`, 1, day);

const sizeUnits: Readonly<Record<string, number>> = { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** A number of bytes, also written with the unit kb, mb or gb. */
const byteSize = (name: string, min: number, max: number) => {
  const is = (u: unknown): u is number => Number.isInteger(u) && Number(u) >= min && Number(u) <= max;
  return new SettingCodec<number>(
    name,
    is,
    (u, c) => {
      const [, digits = '', unit = ''] =
        /^(\d{1,12})(kb|mb|gb)?$/i.exec(typeof u === 'string' ? u : '') ?? [];
      const bytes = digits === '' ? Number.NaN : Number(digits) * (sizeUnits[unit.toLowerCase()] ?? 1);
      return is(bytes) ? t.success(bytes) : t.failure(u, c);
    },
    { type: ['string', 'integer'], pattern: '^\\d{1,12}(?:[kKmMgG][bB])?$', minimum: min, maximum: max },
  );
};

/** A length in bytes. Node has no text of more than 512 MB. */
export const ByteSize = byteSize('a size from 1kb to 256mb, such as 64mb or 65536', 1024, 256 * 1024 ** 2);

/** How much memory something may take, in bytes. */
export const MemorySize = byteSize('a size from 0 to 16gb, such as 64mb', 0, 16 * 1024 ** 3);

/** A number of things, at least one. */
export const Count = integerBetween('a whole number from 1 to 1000000', 1, 1_000_000);

const isShare = (u: unknown): u is number => typeof u === 'number' && u >= 0 && u <= 1;

/** A part of all, as a number. */
export const Share = new SettingCodec<number>(
  'a number from 0 to 1, such as 0.05',
  isShare,
  (u, c) => {
    const value =
      typeof u === 'string' && /^\d(?:\.\d{1,25})?(?:e-\d{1,3})?$/.test(u) ? Number(u) : Number.NaN;
    return isShare(value) ? t.success(value) : t.failure(u, c);
  },
  { type: 'number', minimum: 0, maximum: 1 },
);

/** A request rate. */
export const RequestsPerSecond = integerBetween('a whole number from 1 to 1000', 1, 1000);

/** How many requests may be under way at once. */
export const Concurrency = integerBetween('a whole number from 1 to 64', 1, 64);

/** The seed of a random choice, which repeats it. */
export const Seed = integerBetween('a whole number from 0 to 4294967295', 0, 2 ** 32 - 1);

/** A percentage, also written with its sign. */
export const Percentage = new SettingCodec<number>(
  'a percentage from 0 to 100, such as 90%',
  (u): u is number => Number.isInteger(u) && Number(u) >= 0 && Number(u) <= 100,
  (u, c) => {
    const [, digits] = /^(\d{1,3})%?$/.exec(typeof u === 'string' ? u : '') ?? [];
    return digits !== undefined && Number(digits) <= 100 ? t.success(Number(digits)) : t.failure(u, c);
  },
  { type: ['string', 'integer'], pattern: '^(?:\\d{1,2}|100)%?$', minimum: 0, maximum: 100 },
);

const isDatabaseUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text);

/** The URL of a PostgreSQL database. It may contain a password, so error messages never show it. */
export const DatabaseUrl = new SecretString(
  'a URL such as postgres://user:password@host:5432/database',
  {},
  isDatabaseUrl,
);

/** A host name, an address or a path: any text that is not empty. */
export const NonEmptyString = new StringCodec<string>(
  'text that is not empty',
  { minLength: 1 },
  (u): u is string => typeof u === 'string' && u !== '',
);

/** A list of names: several arguments, commas between them, or both. Each name counts once. */
export const Names = new SettingCodec<readonly string[]>(
  'names, with commas between them',
  (u): u is readonly string[] => t.readonlyArray(t.string).is(u) && u.every((name) => name !== ''),
  (u, c) => {
    const texts: unknown = typeof u === 'string' ? [u] : u;
    if (!t.readonlyArray(t.string).is(texts)) return t.failure(u, c);
    const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
    return names.includes('') ? t.failure(texts.join(' '), c) : t.success(Array.from(new Set(names)));
  },
  { type: 'array', items: { type: 'string', pattern: '^[^,]*[^,\\s][^,]*$' } },
);

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

/** A switch: a flag on the command line, `true`, `1`, `yes`, `on` or their opposites in the environment. */
export const Switch = new SettingCodec<boolean>(
  'true or false',
  t.boolean.is,
  (u, c) => {
    const key = typeof u === 'string' ? u.toLowerCase() : '';
    const value = Object.hasOwn(booleans, key) ? booleans[key] : u;
    return typeof value === 'boolean' ? t.success(value) : t.failure(u, c);
  },
  { type: 'boolean' },
);

/**
 * The value of a cookie or a bearer token: the characters that both headers allow (RFC 6265, section 4.1.1).
 * A shorter value could not be redacted from reports, because it would be part of ordinary words.
 */
export const CredentialValue = new SecretString(
  'at least 4 letters, digits and signs, without spaces, quotes, commas, semicolons and backslashes',
  { pattern: /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]{4,}$/ },
);

/** The name of a cookie (RFC 9110, section 5.6.2). */
export const CookieName = textOf('the name of a cookie', /^[\w!#$%&'*+.^`|~-]+$/);
