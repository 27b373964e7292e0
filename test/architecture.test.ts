import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { importsOf, sources } from './_imports.js';

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
  common: ['@noble/hashes', 'node:crypto', 'node:events', 'node:fs', 'node:path'],
  koa: [
    ...['@koa/cors', '@koa/router', 'ipaddr.js', 'koa', 'koa-bodyparser'],
    ...['node:crypto', 'node:http', 'node:https', 'node:net', 'node:stream', 'node:tls', 'node:util'],
    'node:zlib',
  ],
  accounts: ['node:crypto'],
  openapi: ['node:fs'],
  fixtures: [
    ...['jsonc-parser', 'lowdb', 'node:buffer', 'node:events', 'node:fs', 'node:net', 'node:path'],
    'node:url',
  ],
  simulation: ['node:path'],
  postgres: ['node:fs', 'node:stream', 'node:url', 'pg'],
  pages: ['negotiator'],
  start: ['koa', 'node:http', 'prom-client'],
  'storage-kit': ['fast-check', 'node:assert', 'node:util'],
  data: ['#write-text', 'ae-cvss-calculator', 'node:fs', 'node:path', 'node:url', 'packageurl-js'],
  verify: ['node:http', 'node:stream'],
  testing: ['#environment', '@playwright/test', 'msw', 'node:http', 'node:path', 'node:url'],
  cli: [
    ...['commander', 'node:child_process', 'node:crypto', 'node:fs', 'node:http'],
    ...['node:https', 'node:net', 'node:os', 'node:path', 'node:stream', 'node:tls', 'node:url', 'node:util'],
  ],
};

/** The room whose folder a file stands in. */
const roomOf = (file: string): string | undefined => {
  const [room = ''] = relative(src, file).split('/');
  return rooms.has(room) ? room : undefined;
};

const packageOf = (specifier: string): string => {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
};

test('every file of src is in a folder of the table of rooms', async (t) => {
  for (const file of await sources(src)) t.not(roomOf(file), undefined, file);
});

test('every room imports only the rooms that the table allows', async (t) => {
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

test('no rooms import each other in a circle, even types', (t) => {
  const reaches = (from: string, to: string, before: readonly string[] = []): boolean =>
    (rooms.get(from) ?? []).some(
      (next) => next === to || (!before.includes(next) && reaches(next, to, [...before, next])),
    );
  for (const room of rooms.keys()) t.false(reaches(room, room), room);
});

test('no storage adapter imports another one', (t) => {
  t.false(rooms.get('fixtures')?.includes('postgres'));
  t.false(rooms.get('postgres')?.includes('fixtures'));
});

/** The rooms of the core: they know nothing of what stands around them. */
const coreRooms = ['common', 'contract', 'api'];

/** All files that some files reach by their imports, types included. */
const closureOf = async (
  files: readonly string[],
  known = new Set<string>(),
): Promise<ReadonlySet<string>> => {
  for (const file of files) {
    if (known.has(file)) continue;
    known.add(file);
    const imports = importsOf(await readFile(file, 'utf8')).filter((each) => each.startsWith('.'));
    await closureOf(
      imports.map((each) => resolve(file, '..', each.replace(/\.js$/, '.ts'))),
      known,
    );
  }
  return known;
};

const linesOf = async (files: Iterable<string>): Promise<number> => {
  const texts = await Promise.all(Array.from(files, (file) => readFile(file, 'utf8')));
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
};

test('the life of a request and the operations reach nothing but the core, which is small', async (t) => {
  const closure = await closureOf([join(src, 'api/service.ts'), join(src, 'api/endpoint.ts')]);
  for (const file of closure) t.true(coreRooms.includes(roomOf(file) ?? ''), relative(root, file));
  const lines = await linesOf(closure);
  t.true(lines > 2000 && lines <= 3600, `${lines} lines`);
});

test('two short files of start name the capabilities, and no other one knows any', async (t) => {
  const composing = ['compose.ts', 'all-rows.ts'].map((name) => join(src, 'start', name));
  t.true((await linesOf(composing)) <= 120);
  for (const file of await sources(join(src, 'start'))) {
    if (composing.includes(file)) continue;
    const imports = importsOf(await readFile(file, 'utf8')).filter((each) => each.startsWith('.'));
    for (const each of imports)
      t.true(
        [...coreRooms, 'koa', 'start'].includes(roomOf(resolve(file, '..', each)) ?? ''),
        `${file}: ${each}`,
      );
  }
});

test('the files of the core that a newcomer reads first have the order of a short list', async (t) => {
  const listed = Array.from(page.matchAll(/^\d+\. `([a-z/-]+\.ts)`: /gm), ([, file = '']) => join(src, file));
  t.true(listed.length > 10 && listed.length <= 16, `${listed.length} files`);
  const lines = await linesOf(listed);
  t.true(lines <= 2600, `${lines} lines`);
});

/** What each room alone may do: a word that is found elsewhere in src breaks the rule. */
const reserved = [
  { word: /\b(?:ctx|Koa)\b/, rooms: ['koa', 'start'] },
  {
    word: /\bprocess\.|\bconsole\.|\bNodeJS\.Process\b/,
    rooms: ['cli'],
    files: ['testing/node/environment.ts'],
  },
  { word: /\bMath\.random\b/, rooms: ['cli'] },
  // The entries: whatever is started through them is handed a clock from there.
  {
    word: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/,
    rooms: ['cli', 'testing'],
    files: ['start/core.ts', 'verify/contract-tests.ts'],
  },
  {
    word: /\bstatus: [1-5]\d\d\b|\bctx\.status\b/,
    rooms: ['api', 'koa', 'pages', 'simulation', 'start'],
  },
] as const;

for (const { word, rooms: allowed, ...rest } of reserved) {
  test(`${word.source} is found in ${allowed.join(', ')} alone`, async (t) => {
    for (const file of await sources(src)) {
      if (allowed.some((room) => room === roomOf(file))) continue;
      if ('files' in rest && rest.files.some((name) => join(src, name) === file)) continue;
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

test('no code uses any, unchecked casts or ignored compiler errors', async (t) => {
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
