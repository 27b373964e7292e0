import type { Random } from '../core/_random.js';

/** A body with the headers that go with it. */
export type Body = Readonly<{ headers: readonly string[]; body: string; mayClose: boolean }>;

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const odd = [
  '\u0000',
  '\u202e',
  '😀',
  'ä',
  '<script>',
  '"',
  '\\',
  '\r\n',
  '%00',
  "'--",
  '{{7*7}}',
  '\ud800',
] as const;

const word = (random: Random): unknown =>
  random.pick<unknown>([
    random.text(letters, random.between(0, 20)),
    random.pick(odd),
    random.pick(odd).repeat(random.between(1, 60)),
    random.text(letters, 300),
    null,
    true,
    random.below(100_000_000),
    -1.5,
    [],
    ['a'],
    {},
    { length: 3 },
    { $ne: null },
    { toString: 'x' },
  ]);

/** What could be a form of the site, or nearly. */
const fields = (random: Random): Readonly<Record<string, unknown>> => {
  const email = random.pick<unknown>([
    'dana@acme.test',
    `${random.text(letters, 8)}@soak.test`,
    `${random.text(letters, 300)}@soak.test`,
    'no-address',
    word(random),
  ]);
  return random.pick<Readonly<Record<string, unknown>>>([
    { email, password: random.pick<unknown>(['wrong password', word(random)]) },
    { email, name: word(random), password: word(random) },
    { name: word(random) },
    { name: 'soak', expiresInDays: word(random) },
    {
      name: 'soak',
      expiresAt: random.pick(['2020-01-01T00:00:00.000Z', 'soon', '2026-02-31T00:00:00.000Z']),
    },
    { __proto__: null, constructor: { prototype: { polluted: true } } },
    {},
  ]);
};

const asForm = (values: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  ).toString();

const isShort = (text: string): boolean => text.length < 15_000;

const garbage = (random: Random): string =>
  random.pick([
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '{"email":}',
    '\ufeff{}',
    '{"__proto__":{"polluted":true}}',
    `${'['.repeat(random.between(1, 7000))}`,
    `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
    random.text(`${letters}{}[]":,&=%`, random.between(1, 500)),
    `{"email":"${'a'.repeat(random.between(14_000, 40_000))}"}`,
  ]);

/** The body of a post: JSON, a form, or garbage; sometimes too long, sometimes in chunks. */
export const randomBody = (random: Random): Body => {
  const isForm = random.chance(0.3);
  const isOdd = random.chance(0.25);
  const text = isOdd ? garbage(random) : isForm ? asForm(fields(random)) : JSON.stringify(fields(random));
  const type = random.chance(0.9)
    ? `Content-Type: application/${isForm ? 'x-www-form-urlencoded' : 'json'}`
    : random.pick([
        'Content-Type: text/plain',
        'Content-Type: multipart/form-data; boundary=x',
        'Content-Type: application/json; charset=utf-7',
        'Content-Type: application/vnd.api+json',
        'Content-Type: ;;;',
        'X-No-Type: 1',
      ]);
  const headers = [type, ...(random.chance(0.03) ? ['Content-Encoding: gzip'] : [])];
  // What is refused before all of it was read may cost the connection.
  const mayClose = !isShort(text) || headers.length > 1 || !type.includes('application/');
  if (random.chance(0.9)) {
    return { headers: [...headers, `Content-Length: ${Buffer.byteLength(text)}`], body: text, mayClose };
  }
  const bytes = Buffer.from(text);
  const cut = random.below(bytes.length + 1);
  const chunk = (part: Buffer): string =>
    part.length === 0 ? '' : `${part.length.toString(16)}\r\n${part.toString('utf8')}\r\n`;
  // Only cut where no character is cut.
  const isWhole = Buffer.from(bytes.subarray(0, cut).toString('utf8')).equals(bytes.subarray(0, cut));
  const chunked = isWhole ? chunk(bytes.subarray(0, cut)) + chunk(bytes.subarray(cut)) : chunk(bytes);
  return { headers: [...headers, 'Transfer-Encoding: chunked'], body: `${chunked}0\r\n\r\n`, mayClose };
};
