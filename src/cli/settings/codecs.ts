import * as t from 'io-ts';
import type { JsonObject } from '../../common/json.js';
import { SecretString, StringCodec } from '../../contract/codecs/text-and-numbers.js';

/**
 * The codec of a setting. It decodes the text of an option or a variable, and the value of a config file,
 * whose JSON Schema is `schema`.
 */
export class SettingCodec<A> extends t.Type<A, unknown, unknown> {
  constructor(
    name: string,
    is: (u: unknown) => u is A,
    validate: t.Validate<unknown, A>,
    readonly schema: JsonObject,
  ) {
    super(name, is, validate, t.identity);
  }
}

/** Gives a codec the JSON Schema of what a config file may have for it. */
export const withSchema = <A>(codec: t.Type<A, unknown, unknown>, schema: JsonObject): SettingCodec<A> =>
  new SettingCodec(codec.name, codec.is, codec.validate, schema);

/** Numbers in a range, decoded from a number or from its text in one of the forms that `parse` knows. */
const numberIn = (
  name: string,
  [min, max]: readonly [min: number, max: number],
  schema: JsonObject,
  parse: (text: string) => number,
): SettingCodec<number> => {
  const isValid = (u: unknown): u is number =>
    typeof u === 'number' && u >= min && u <= max && (schema.type === 'number' || Number.isInteger(u));
  return new SettingCodec<number>(
    name,
    isValid,
    (u, c) => {
      const number = typeof u === 'string' ? parse(u) : u;
      return isValid(number) ? t.success(number) : t.failure(u, c);
    },
    { ...schema, minimum: min, maximum: max },
  );
};

/** Whole numbers between two bounds, both included; `name` says so. */
export const integerBetween = (name: string, min: number, max: number): SettingCodec<number> =>
  numberIn(name, [min, max], { type: 'integer' }, (text) =>
    /^[0-9]+$/.test(text) ? Number(text) : Number.NaN,
  );

/** A TCP port. The system chooses a free one for 0. */
export const Port = integerBetween('a port from 0 to 65535', 0, 65535);

const day = 24 * 60 * 60 * 1000;

/**
 * A delay in milliseconds. Node's timers end at 2^31 milliseconds, and more than a day is surely a mistake.
 */
export const Milliseconds = integerBetween(`milliseconds from 0 to ${day}`, 0, day);

/**
 * How long the database may take, in milliseconds: long enough for a query, short enough for whoever waits.
 * Zero would be no limit to PostgreSQL.
 */
export const DatabaseTimeout = integerBetween('milliseconds from 10 to 60000', 10, 60_000);

/** A timeout for a response in milliseconds. Zero would let no request succeed. */
export const RequestTimeout = integerBetween(`milliseconds from 1 to ${day}`, 1, day);

/** A number of things, at least one. */
export const Count = integerBetween('a whole number from 1 to 1000000', 1, 1_000_000);

/** A request rate. */
export const RequestsPerSecond = integerBetween('a whole number from 1 to 1000', 1, 1000);

/** The seed of a random choice, which repeats it. */
export const Seed = integerBetween('a whole number from 0 to 4294967295', 0, 2 ** 32 - 1);

/** A part of all, as a number. */
export const Share = numberIn('a number from 0 to 1, such as 0.05', [0, 1], { type: 'number' }, (text) =>
  /^\d(?:\.\d{1,25})?(?:e-\d{1,3})?$/.test(text) ? Number(text) : Number.NaN,
);

/** A percentage, also written with its sign. */
export const Percentage = numberIn(
  'a percentage from 0 to 100, such as 90%',
  [0, 100],
  { type: ['string', 'integer'], pattern: '^(?:\\d{1,2}|100)%?$' },
  (text) => Number(/^(\d{1,3})%?$/.exec(text)?.[1] ?? Number.NaN),
);

const sizeUnits = ['', 'kb', 'mb', 'gb'];

/** A number of bytes, also written with the unit kb, mb or gb. */
const byteSize = (name: string, min: number, max: number): SettingCodec<number> =>
  numberIn(
    name,
    [min, max],
    { type: ['string', 'integer'], pattern: '^\\d{1,12}(?:[kKmMgG][bB])?$' },
    (text) => {
      const [, digits = 'none', unit = ''] = /^(\d{1,12})(kb|mb|gb)?$/i.exec(text) ?? [];
      return Number(digits) * 1024 ** sizeUnits.indexOf(unit.toLowerCase());
    },
  );

/** A length in bytes. Node has no text of more than 512 MB. */
export const ByteSize = byteSize('a size from 1kb to 256mb, such as 64mb or 65536', 1024, 256 * 1024 ** 2);

/** How much memory something may take, in bytes. */
export const MemorySize = byteSize('a size from 0 to 16gb, such as 64mb', 0, 16 * 1024 ** 3);

/** The URL of a PostgreSQL database. It may contain a password, so error messages never show it. */
export const DatabaseUrl = new SecretString(
  'a URL such as postgres://user:password@host:5432/database',
  {},
  (text) => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text),
);

/** A host name, an address or a path: any text that is not empty. */
export const NonEmptyString = new StringCodec<string>('text that is not empty', { minLength: 1 });

/** A list of texts: several arguments, commas between them, or both. `name` says what each has to be. */
export const listOf = (
  name: string,
  isValid: (text: string) => boolean,
  { item = {}, error = name }: Readonly<{ item?: JsonObject; error?: string }> = {},
): SettingCodec<readonly string[]> =>
  new SettingCodec<readonly string[]>(
    name,
    (u): u is readonly string[] => t.readonlyArray(t.string).is(u) && u.every(isValid),
    (u, c) => {
      const list: unknown = typeof u === 'string' ? [u] : u;
      if (!t.readonlyArray(t.string).is(list)) return t.failure(u, c);
      const texts = list.flatMap((text) => text.split(',')).map((each) => each.trim());
      const invalid = texts.find((text) => !isValid(text));
      return invalid === undefined ? t.success(texts) : t.failure(invalid, c, error);
    },
    { type: 'array', items: { type: 'string', ...item } },
  );

const booleans: Readonly<Record<string, boolean>> = {
  ...{ true: true, '1': true, yes: true, on: true },
  ...{ false: false, '0': false, no: false, off: false },
};

/** A switch: a flag on the command line, `true`, `1`, `yes`, `on` or their opposites in the environment. */
export const Switch = new SettingCodec<boolean>(
  'true or false',
  t.boolean.is,
  (u, c) => {
    const key = typeof u === 'string' ? u.toLowerCase() : '';
    const on = Object.hasOwn(booleans, key) ? booleans[key] : u;
    return typeof on === 'boolean' ? t.success(on) : t.failure(u, c);
  },
  { type: 'boolean' },
);

/**
 * The value of a cookie or a bearer token: the characters that both headers allow (RFC 6265, section 4.1.1).
 * A shorter value could not be redacted from reports, because it would be part of ordinary words.
 */
export const CredentialValue = new SecretString(
  'at least 4 visible ASCII characters, without double quotes, commas, semicolons and backslashes',
  { pattern: /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]{4,}$/ },
);

/** The name of a cookie (RFC 9110, section 5.6.2). */
export const CookieName = new StringCodec<string>('the name of a cookie', {
  pattern: /^[\w!#$%&'*+.^`|~-]+$/,
});

/** The beginning of role names: what PostgreSQL takes without quotes, and not the names it reserves. */
export const RolePrefix = new StringCodec<string>(
  'a prefix of up to 40 lower-case letters, digits and underscores that does not start with pg_',
  { pattern: /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/ },
);

const isBaseUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp && [username, password, search, hash].every((part) => part === '') && !/[?#]/.test(text);
};

/**
 * The base URL of a server, without a query. It must not contain a user or a password, which would show up in
 * reports; error messages leave them out as well.
 */
export const BaseUrl = new SettingCodec<string>(
  'an http or https URL without user, query and fragment, such as http://127.0.0.1:4000',
  (u): u is string => typeof u === 'string' && isBaseUrl(u),
  (u, c) => {
    if (typeof u !== 'string') return t.failure(u, c);
    return isBaseUrl(u) ? t.success(u) : t.failure(u.includes('@') ? u.replace(/^.*@/s, '…@') : u, c);
  },
  { type: 'string', pattern: '^[hH][tT][tT][pP][sS]?:[^?#]+$' },
);
