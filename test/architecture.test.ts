import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const root = fileURLToPath(new URL('../../', import.meta.url));
const src = join(root, 'src');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** The rooms of the table in docs/architecture.md, and what each may import. */
const rooms = new Map(
  Array.from(page.matchAll(/^\| `src\/([a-z/-]+)\/` \|.*\| (.*?) ?\|$/gm), ([, name = '', imports = '']) => [
    name,
    imports.split(', '),
  ]),
);

/** The packages that a room may import, besides io-ts and fp-ts, which all may. */
const packages: Readonly<Record<string, readonly string[]>> = {
  common: ['@noble/hashes', 'node:crypto', 'node:fs', 'node:path'],
  openapi: ['node:fs'],
  'data/reports': ['ae-cvss-calculator', 'packageurl-js'],
  'data/builders': ['#write-text', 'node:fs', 'node:path', 'node:url'],
  fixtures: ['jsonc-parser', 'lowdb', 'node:buffer', 'node:fs', 'node:path', 'node:url'],
  storage: ['node:util'],
  'storage/memory': ['lowdb', 'node:buffer', 'node:events', 'node:fs', 'node:net', 'node:path'],
  'storage/postgres': ['node:fs', 'node:stream', 'node:url', 'pg'],
  'storage/conformance': ['fast-check', 'node:assert', 'node:util'],
  accounts: ['node:crypto'],
  web: ['negotiator'],
  http: [
    ...['@koa/cors', '@koa/router', 'ipaddr.js', 'koa', 'koa-bodyparser', 'prom-client'],
    ...['node:crypto', 'node:http', 'node:https', 'node:net', 'node:stream', 'node:tls', 'node:util'],
    'node:zlib',
  ],
  server: ['node:events', 'node:fs', 'node:path'],
  testing: ['@playwright/test', 'msw', 'node:path', 'node:url'],
  cli: [
    ...['commander', 'node:child_process', 'node:crypto', 'node:fs', 'node:http'],
    ...['node:https', 'node:net', 'node:os', 'node:path', 'node:stream', 'node:tls', 'node:url', 'node:util'],
  ],
};

/** The longest room whose folder a file stands in. */
const roomOf = (file: string): string | undefined =>
  [...rooms.keys()]
    .filter((room) => relative(src, file).startsWith(`${room}/`))
    .sort((l, r) => r.length - l.length)[0];

const sources = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    // Tools that a part of the tests has installed are not ours.
    .filter((path) => !path.includes('node_modules'));

const importsOf = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/(?<!['-]|db )\b(?:from|import)\s*\(?\s*'([^'\n]+)'/g),
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
    const may = rooms.get(room) ?? [];
    for (const specifier of importsOf(await readFile(file, 'utf8'))) {
      checked += 1;
      const where = `${relative(root, file)} imports ${specifier}`;
      // What the build makes of what is in the room.
      if (specifier.endsWith('.text.js')) continue;
      if (specifier === '#platform' || /^(?:io-ts|#fp-ts)(?:\/|$)/.test(specifier)) continue;
      if (specifier.startsWith('.')) {
        const target = roomOf(resolve(file, '..', specifier)) ?? 'no room';
        t.true(
          target === room || may.includes(target) || (may[0] === 'all but testing' && target !== 'testing'),
          where,
        );
      } else t.true(packages[room]?.includes(packageOf(specifier)), where);
    }
  }
  t.true(checked > 200, 'imports were found');
});

test('no files import each other in a circle, other than types', async (t) => {
  const files = await sources(src);
  const left = new Map(
    await Promise.all(
      files.map(async (file) => {
        const code = (await readFile(file, 'utf8')).replaceAll(/^(?:import|export) type [^;]*;$/gm, '');
        const imports = importsOf(code).filter((specifier) => specifier.startsWith('.'));
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
  t.true(files.length > 150, 'files were found');
  t.deepEqual(
    [...left.keys()].map((file) => relative(root, file)),
    [],
  );
});

test('an adapter of the storage imports no other', (t) => {
  const adapters = ['storage/memory', 'storage/postgres'];
  for (const adapter of adapters) {
    t.deepEqual(
      rooms.get(adapter)?.filter((room) => room.startsWith('storage/')),
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
  {
    word: /\bstatus: [1-5]\d\d\b|\bctx\.status\b/,
    rooms: ['protocol', 'operations', 'web', 'service', 'controls', 'http'],
  },
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

test('only common/timers.ts names a timer: a test may replace the global ones', async (t) => {
  for (const file of await sources(src)) {
    if (file === join(src, 'common/timers.ts')) continue;
    const timer = /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)\b/;
    t.notRegex(codeOf(await readFile(file, 'utf8')), timer, relative(root, file));
  }
});

test('nothing goes round the types', async (t) => {
  for (const file of [...(await sources(src)), ...(await sources(join(root, 'test')))]) {
    const text = await readFile(file, 'utf8');
    t.notRegex(
      codeOf(text),
      /\bas (?!const\b)|(?<!AbortSignal\.)\bany\b|[\w)\]]!(?=[.;,)\]])/,
      relative(root, file),
    );
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
