import test from 'ava';
import { run, runProcess } from './_cli.js';

const levels = 'one of debug, info, warn, error, silent';

const table: readonly (readonly [
  words: string,
  environment: Readonly<Record<string, string>>,
  ...err: string[],
])[] = [
  [
    'launch',
    {},
    "error: unknown command 'launch' (commands: serve, explore, migrate, import, delete-tenant, purge, healthcheck, init, generate, check, openapi, verify, diff, record, import-from, config, help)",
  ],
  [
    'completion bash',
    {},
    "error: completion no longer exists: 'triage-api help <command>' lists the options of a command",
  ],
  [
    'help completion',
    {},
    "error: completion no longer exists: 'triage-api help <command>' lists the options of a command",
  ],
  [
    'recount --check',
    {},
    'error: recount no longer exists: the counts of a database are no longer kept, so that none can be wrong',
  ],
  [
    'serve --provider-states states.json',
    {},
    'error: --provider-states no longer exists: docs/pact.md shows how a script of your own makes provider states',
  ],
  [
    'config serve --provider-states=states.json',
    {},
    'error: --provider-states no longer exists: docs/pact.md shows how a script of your own makes provider states',
  ],
  ['--prot 1', {}, "error: unknown option '--prot' (Did you mean --port?)"],
  [
    'record x.json --restart',
    {},
    'error: --restart no longer exists: an interrupted run keeps nothing, so that every run starts over',
  ],
  [
    'diff --resume=x',
    {},
    'error: --resume no longer exists: a run cannot be continued; run the command again, with a higher --rate if the server allows it',
  ],
  ['check --strict', {}, "error: unknown option '--strict'"],
  ['serve --port', {}, "error: option '-p, --port <port>' argument missing"],
  ['serve here', {}, "error: too many arguments for 'serve'. Expected 0 arguments but got 1."],
  ['generate a b', {}, "error: too many arguments for 'generate'. Expected 1 argument but got 2."],
  ['chek', {}, "error: unknown command 'chek' (Did you mean check?)"],
  ['Serve --port 1', {}, "error: unknown command 'Serve' (Did you mean serve?)"],
  ['help verfy', {}, "error: unknown command 'verfy' (Did you mean verify?)"],
  ['check --jsn', {}, "error: unknown option '--jsn' (Did you mean --json?)"],
  ['check --complete --out ', {}, '--out: expected text that is not empty, got ""'],
  ['check --out x', {}, '--out is only for --complete'],
  ['check --json --complete', {}, '--json cannot be used with --complete'],
  ['check --json --watch', {}, '--watch cannot be used with --json'],
  ['check --watch --complete', {}, '--watch cannot be used with --complete'],
  ['openapi x', {}, "error: too many arguments for 'openapi'. Expected 0 arguments but got 1."],
  ['--port 65536', {}, '--port: expected a port from 0 to 65535, got "65536"'],
  ['-p 4000x', {}, '--port: expected a port from 0 to 65535, got "4000x"'],
  ['--port=', {}, '--port: expected a port from 0 to 65535, got ""'],
  ['check ', {}, 'path: expected text that is not empty, got ""'],
  ['import fixtures ', {}, 'path: expected text that is not empty, got ""'],
  ['import-from ', {}, 'file: expected text that is not empty, got ""'],
  ['record ', {}, 'file: expected text that is not empty, got ""'],
  ['delete-tenant ', {}, 'tenant: expected text that is not empty, got ""'],
  ['--host=', {}, '--host: expected text that is not empty, got ""'],
  [
    '--delay 1.5 --jitter -1',
    {},
    '--delay: expected milliseconds from 0 to 86400000, got "1.5"',
    '--jitter: expected milliseconds from 0 to 86400000, got "-1"',
  ],
  ['--now yesterday', {}, '--now: expected a moment in UTC such as 2026-11-20T12:00:00Z, got "yesterday"'],
  [
    '--now 2026-02-30T12:00:00Z',
    {},
    '--now: expected a moment in UTC such as 2026-11-20T12:00:00Z, got "2026-02-30T12:00:00Z"',
  ],
  ['--log-level loud', {}, `--log-level: expected ${levels}, got "loud"`],
  ['', { TRIAGE_PORT: '-1' }, 'environment variable TRIAGE_PORT: expected a port from 0 to 65535, got "-1"'],
  [
    '',
    { TRIAGE_LOG_LEVEL: 'verbose' },
    `environment variable TRIAGE_LOG_LEVEL: expected ${levels}, got "verbose"`,
  ],
  [
    'serve',
    { TRIAGE_STRICT: 'maybe' },
    'environment variable TRIAGE_STRICT: expected true or false, got "maybe"',
  ],
];

for (const [words, environment, ...err] of table) {
  test(`wrong usage: ${JSON.stringify(environment)} triage-api ${words}`, async (t) => {
    const result = await run(words === '' ? [] : words.split(' '), environment);
    t.deepEqual(result, { code: 2, out: '', err: `${err.join('\n')}\n` });
  });
}

test('the help lists every command, and the help of serve every option and its variable', async (t) => {
  const program = await run(['--help']);
  t.is(program.code, 0);
  for (const command of [
    'serve',
    'migrate',
    'import',
    'delete-tenant',
    'purge',
    'healthcheck',
    'init',
    'generate',
    'check',
    'openapi',
    'verify',
    'diff',
    'record',
    'help',
  ])
    t.regex(program.out, new RegExp(`^  ${command} `, 'm'));
  t.deepEqual(await run(['help', 'help']), program);
  const serve = await run(['help', 'serve']);
  t.is(serve.code, 0);
  const help = serve.out.replaceAll(/\s+/g, ' ');
  for (const option of [
    '-p, --port <port>',
    'PORT',
    '-H, --host <host>',
    'HOST',
    '-f, --fixtures <path>',
    'TRIAGE_FIXTURES',
    '--now <time>',
    'TRIAGE_NOW',
    '--strict',
    'TRIAGE_STRICT',
    '--watch',
    '--no-watch',
    'TRIAGE_WATCH',
    '-d, --delay <ms>',
    'TRIAGE_DELAY',
    '--jitter <ms>',
    'TRIAGE_JITTER',
    '--log-level <level>',
    'LOG_LEVEL',
    '-q, --quiet',
    'TRIAGE_QUIET',
  ]) {
    t.true(help.includes(option), option);
  }
  t.regex((await run(['check', '--help'])).out, /TRIAGE_FIXTURES/);
  t.regex((await run(['openapi', '--help'])).out, /--fixtures/);
});

test('the real program exits with 2 on wrong usage, and prints the version of the package', async (t) => {
  t.deepEqual(await runProcess(['--port', '65536']), {
    code: 2,
    out: '',
    err: '--port: expected a port from 0 to 65535, got "65536"\n',
  });
  const { code, out } = await runProcess(['--version']);
  t.is(code, 0);
  t.regex(out, /^\d+\.\d+\.\d+\n$/);
});
