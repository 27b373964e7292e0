import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

/**
 * The import rule of docs/architecture.md, executed: what each room may import, of rooms and of packages. A
 * room that is not listed here does not exist yet.
 */
const codecs = ['io-ts', '#fp-ts'];
const base = ['common', 'codecs'];

const rooms: Readonly<Record<string, Readonly<{ rooms: readonly string[]; packages: readonly string[] }>>> = {
  'fp-ts': { rooms: [], packages: ['fp-ts'] },
  platform: { rooms: [], packages: ['@noble/hashes', 'node:crypto'] },
  common: { rooms: [], packages: [] },
  codecs: { rooms: ['common'], packages: codecs },
  files: {
    rooms: ['common'],
    packages: [...codecs, 'node:fs', 'node:net', 'node:path', 'node:timers', 'write-file-atomic'],
  },
  contract: { rooms: base, packages: codecs },
  records: { rooms: [...base, 'contract'], packages: codecs },
  reports: {
    rooms: [...base, 'contract', 'records', 'advisories', 'completion'],
    packages: codecs,
  },
  advisories: { rooms: ['common', 'contract'], packages: [] },
  generator: { rooms: [...base, 'contract', 'records', 'advisories'], packages: codecs },
  completion: { rooms: [...base, 'contract', 'records', 'advisories'], packages: codecs },
  builders: { rooms: [...base, 'records', 'completion'], packages: [...codecs, '#write-text'] },
  'builders/node': { rooms: [], packages: ['node:fs', 'node:path', 'node:url'] },
  simulation: { rooms: [...base, 'platform', 'contract', 'records'], packages: codecs },
  'json-schema': { rooms: [...base, 'records', 'completion'], packages: codecs },
  openapi: { rooms: [...base, 'contract', 'json-schema'], packages: [...codecs, 'node:fs'] },
  storage: { rooms: [...base, 'contract', 'records'], packages: [...codecs, 'node:util'] },
  'storage/fixtures': {
    rooms: [...base, 'platform', 'files', 'contract', 'records', 'completion', 'storage', 'accounts'],
    packages: [...codecs, 'lowdb', 'jsonc-parser', 'node:fs', 'node:path', 'node:url', 'node:buffer'],
  },
  'storage/postgres': {
    rooms: [...base, 'contract', 'records', 'storage'],
    packages: [...codecs, 'lru-cache', 'pg', 'node:fs', 'node:stream', 'node:url'],
  },
  'storage/own': { rooms: [...base, 'records', 'storage'], packages: codecs },
  'storage/exports': {
    rooms: [...base, 'contract', 'records', 'storage', 'storage/own', 'accounts'],
    packages: [],
  },
  'storage/conformance': {
    rooms: [...base, 'records', 'storage', 'storage/fixtures', 'accounts', 'simulation', 'protocol'],
    packages: [...codecs, 'fast-check', 'node:assert', 'node:util'],
  },
  accounts: {
    rooms: [...base, 'platform', 'records', 'storage'],
    packages: [...codecs, 'node:crypto', 'rate-limiter-flexible'],
  },
  'web-pages': { rooms: [...base, 'accounts'], packages: [] },
  api: { rooms: [...base, 'platform', 'contract', 'records', 'storage'], packages: codecs },
  protocol: {
    rooms: [...base, 'contract', 'records', 'storage', 'accounts', 'api', 'simulation', 'platform'],
    packages: codecs,
  },
  explorer: { rooms: [...base, 'contract', 'api', 'web-pages'], packages: codecs },
  http: {
    rooms: [
      ...base,
      'contract',
      'records',
      'storage',
      'accounts',
      'api',
      'protocol',
      'web-pages',
      'explorer',
      'json-schema',
      'openapi',
      'simulation',
    ],
    packages: [
      ...codecs,
      'koa',
      '@koa/router',
      '@koa/cors',
      'koa-bodyparser',
      'ipaddr.js',
      'node:crypto',
      'node:http',
      'node:https',
      'node:net',
      'node:stream',
      'node:timers',
      'node:tls',
      'node:util',
      'node:zlib',
    ],
  },
  metrics: { rooms: [...base, 'storage', 'accounts', 'http'], packages: ['prom-client'] },
  client: { rooms: [...base, 'contract'], packages: codecs },
  verify: { rooms: [...base, 'contract', 'client'], packages: codecs },
  diff: { rooms: [...base, 'contract', 'client', 'verify'], packages: codecs },
  recorder: { rooms: [...base, 'contract', 'records', 'client'], packages: codecs },
  'live-fixtures': {
    rooms: [
      ...base,
      'platform',
      'records',
      'completion',
      'storage',
      'storage/fixtures',
      'accounts',
      'simulation',
    ],
    packages: codecs,
  },
  server: {
    rooms: [
      ...base,
      'platform',
      'files',
      'records',
      'completion',
      'storage',
      'storage/fixtures',
      'accounts',
      'web-pages',
      'simulation',
      'http',
      'live-fixtures',
    ],
    packages: [...codecs, 'node:fs', 'node:path', 'node:url'],
  },
  testing: {
    rooms: [
      ...base,
      'platform',
      'contract',
      'records',
      'completion',
      'storage',
      'storage/fixtures',
      'storage/own',
      'accounts',
      'simulation',
      'protocol',
      'live-fixtures',
      'server',
    ],
    packages: [...codecs, 'msw', 'node:path', 'node:url'],
  },
  cli: {
    rooms: [
      ...base,
      'files',
      'contract',
      'records',
      'completion',
      'storage',
      'storage/fixtures',
      'storage/own',
      'storage/postgres',
      'accounts',
      'api',
      'web-pages',
      'simulation',
      'http',
      'metrics',
      'json-schema',
      'openapi',
      'client',
      'verify',
      'diff',
      'recorder',
      'generator',
      'reports',
      'live-fixtures',
      'server',
    ],
    packages: [
      ...codecs,
      'commander',
      'lilconfig',
      'string-width',
      'node:crypto',
      'node:child_process',
      'node:events',
      'node:fs',
      'node:http',
      'node:https',
      'node:net',
      'node:os',
      'node:path',
      'node:timers',
      'node:tls',
      'node:url',
      'node:util',
    ],
  },
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const src = join(root, 'src');

/** The longest room whose folder a file stands in. */
const roomOf = (file: string): string | undefined =>
  Object.keys(rooms)
    .filter((room) => relative(src, file).startsWith(`${room}/`))
    .sort((l, r) => r.length - l.length)[0];

const sources = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

const importsOf = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/(?<!['-])\b(?:from|import)\s*\(?\s*'([^']+)'/g),
    ([, specifier]) => specifier ?? '',
  );

const packageOf = (specifier: string): string => {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
};

test('every file of src stands in a room', async (t) => {
  for (const file of await sources(src)) t.not(roomOf(file), undefined, file);
});

test('every room imports only what it may', async (t) => {
  let checked = 0;
  for (const file of await sources(src)) {
    const room = roomOf(file) ?? '';
    for (const specifier of importsOf(await readFile(file, 'utf8'))) {
      checked += 1;
      const where = `${relative(root, file)} imports ${specifier}`;
      if (specifier.startsWith('.') || specifier === '#platform') {
        const target = specifier.startsWith('.')
          ? (roomOf(resolve(file, '..', specifier)) ?? 'no room')
          : 'platform';
        t.true(target === room || rooms[room]?.rooms.includes(target), where);
      } else {
        t.true(rooms[room]?.packages.includes(packageOf(specifier)), where);
      }
    }
  }
  t.true(checked > 200, 'imports were found');
});

test('no files import each other in a circle, not even types', async (t) => {
  const files = await sources(src);
  const left = new Map(
    await Promise.all(
      files.map(async (file) => {
        const imports = importsOf(await readFile(file, 'utf8')).filter((specifier) =>
          specifier.startsWith('.'),
        );
        return [file, imports.map((each) => resolve(file, '..', each.replace(/\.js$/, '.ts')))] as const;
      }),
    ),
  );
  // What imports nothing that is left, or is imported by nothing that is left, is no part of a circle.
  for (let before = Infinity; left.size < before; ) {
    before = left.size;
    const imported = new Set([...left.values()].flat());
    for (const [file, imports] of left) {
      if (!imported.has(file) || !imports.some((each) => left.has(each))) left.delete(file);
    }
  }
  t.true(files.length > 500, 'files were found');
  t.deepEqual(
    [...left.keys()].map((file) => relative(root, file)),
    [],
  );
});

test('an adapter of the storage imports no other', (t) => {
  const adapters = ['storage/fixtures', 'storage/postgres'];
  for (const adapter of adapters) {
    t.deepEqual(
      rooms[adapter]?.rooms.filter((room) => room.startsWith('storage/')),
      [],
      adapter,
    );
  }
});

/** What each room alone may do: a word that is found elsewhere in src breaks the rule. */
const reserved = [
  { word: /\b(?:ctx|Koa)\b/, rooms: ['http'] },
  { word: /\bprocess\.|\bconsole\.|\bNodeJS\.Process\b/, rooms: ['cli'] },
  { word: /\bMath\.random\b/, rooms: ['cli'] },
  // The entries: whatever is started through them is handed a clock from there.
  {
    word: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/,
    rooms: ['cli', 'testing'],
  },
  { word: /\bstatus: [1-5]\d\d\b|\bctx\.status\b/, rooms: ['protocol', 'http'] },
] as const;

for (const { word, rooms: allowed } of reserved) {
  test(`${word.source} is found in ${allowed.join(', ')} alone`, async (t) => {
    for (const file of await sources(src)) {
      if (allowed.some((room) => room === roomOf(file))) continue;
      t.notRegex(await readFile(file, 'utf8'), word, relative(root, file));
    }
  });
}

/** The code of a file without comments, texts and imports. */
const codeOf = (text: string): string =>
  text
    // In one pass: a comment may hold a quote, and a text two slashes.
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (found) =>
      found.startsWith('/') ? '' : "''",
    )
    .replaceAll(/^(?:import|export) [^;]*? from '';/gm, '');

test('nothing goes round the types', async (t) => {
  for (const file of [...(await sources(src)), ...(await sources(join(root, 'test')))]) {
    const text = await readFile(file, 'utf8');
    t.notRegex(codeOf(text), /\bas (?!const\b)|\bany\b|[\w)\]]!(?=[.;,)\]])/, relative(root, file));
    if (!file.includes('architecture')) t.notRegex(text, /@ts-|biome-ignore/, relative(root, file));
  }
});

test('comments stay within 110 characters, as the formatter keeps the code', async (t) => {
  for (const file of [...(await sources(src)), ...(await sources(join(root, 'test')))]) {
    const tooLong = (await readFile(file, 'utf8'))
      .split('\n')
      .filter((line) => line.length > 110 && /^\s*(?:\/\/|\/?\*)/.test(line));
    t.deepEqual(tooLong, [], relative(root, file));
  }
});
