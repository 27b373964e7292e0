import { join } from 'node:path';
import test from 'ava';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen, run, runProcess } from '../_cli.js';

const noDefault = (exported: string): string =>
  `no default export (it exports ${exported}); expected a function that makes a storage`;
const noStorage = 'expected a storage, an object of functions, got 7';

/** Modules that make no storage, and the reason. */
const modules: readonly (readonly [name: string, content: string | null, reason: string])[] = [
  ['named.mjs', 'export const openMine = () => {};', noDefault('openMine')],
  ['empty.mjs', '', noDefault('nothing')],
  ['throws.mjs', "throw new Error('no disk');", 'cannot be loaded: Error: no disk (at '],
  ['syntax.mjs', 'export default (', 'cannot be loaded: SyntaxError: '],
  [
    'import.mjs',
    "import 'no-such-package';",
    "cannot be loaded: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'no-such-package'",
  ],
  ['plain.cjs', 'module.exports = 7;', noStorage],
  [
    'compiled.cjs',
    "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 7;",
    noStorage,
  ],
  ['none.js', null, 'there is no such file'],
  ['.', null, 'is not a file; name the module itself'],
];

for (const [name, content, reason] of modules) {
  test(`a module that makes no storage is refused in one line, and the exit code is 1: ${name}`, async (t) => {
    const directory = await directoryWith(t, content === null ? {} : { [name]: content });
    const path = join(directory, name);
    const { code, out, err } = await run(['serve', '--port', '0', '--storage', path]);
    t.deepEqual([code, out], [1, '']);
    t.true(err.startsWith(`--storage ${path}: ${reason}`), err);
    t.is(err.trim().split('\n').length, 1, err);
  });
}

test('serve --storage lists the operations that a storage lacks', async (t) => {
  const content = 'export default () => ({ storage: { ready: () => {}, prs: 1 } });';
  const directory = await directoryWith(t, { 'mine.mjs': content });
  const { err } = await run(['serve', '--port', '0', '--storage', join(directory, 'mine.mjs')]);
  t.regex(err, /mine\.mjs: these operations of the storage are missing: caller, .*finding$/m);
  t.regex(err, /mine\.mjs: prs: expected a function, got 1$/m);
});

test('a process ends after a failed start, even if the module has left something open', async (t) => {
  const directory = await directoryWith(t, { 'mine.mjs': 'setInterval(() => {}, 1000); export default 7;' });
  const { code } = await runProcess(['serve', '--storage', join(directory, 'mine.mjs')]);
  t.is(code, 1);
});

test('options that are about other sources are refused, each with the reason', async (t) => {
  for (const [words, reason] of [
    [['--fixtures', 'x'], '--storage and --fixtures cannot be used together'],
    [['--database-url', 'postgres://x/y'], '--storage and --database-url cannot be used together'],
    [['--state', 'x.json'], '--state cannot be used with --storage: the storage keeps'],
    [['--max-signups', '5'], '--max-signups cannot be used with --storage: the storage decides'],
    [['--scenario', 'acme'], '--scenario cannot be used with --storage: only fixtures'],
    [['--watch'], '--watch cannot be used with --storage: only fixtures'],
    [['--fail-rate', '0.5'], '--fail-rate cannot be used with --storage: it needs'],
  ] as const) {
    const { code, err } = await run(['serve', '--storage', 'mine.js', ...words]);
    t.is(code, 2, err);
    t.true(err.startsWith(reason), err);
  }
});

test('a server that stops closes the storage, and one that is not ready says so and answers 503', async (t) => {
  const directory = await directoryWith(t, {
    'mine.mjs': `const down = async () => ({ _tag: 'Left', left: { _tag: 'StorageUnavailable', cause: 'down' } });
      export default ({ clock, log }) => ({
        storage: new Proxy({}, { get: () => down }),
        close: async () => log('info', 'closed by the author', { at: clock() }),
      });`,
  });
  const now = ['--now', '2026-11-20T12:00:00Z'];
  const { url, shows, end } = await listen(t, ['--storage', join(directory, 'mine.mjs'), ...now]);
  await shows('the storage is not ready');
  t.is((await fetch(`${url}/readyz`)).status, 503);
  const headers = { Cookie: 'session=x' };
  t.is((await fetch(`${url}/api/v1/findings`, { headers })).status, 503);
  const { code, err } = await end('SIGTERM');
  t.is(code, 0);
  t.regex(err, /closed by the author","at":1795176000000/);
});
