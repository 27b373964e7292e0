import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as fc from 'fast-check';
import { loadCommands } from '../../../src/cli/program.js';
import { serveOptions } from '../../../src/cli/serve/serve-options.js';
import { isInFile, keyOf, longFlag, type Option, variableOf } from '../../../src/cli/settings/option.js';
import {
  findSettings,
  originLabel,
  type ParsedOptions,
  type Setting,
} from '../../../src/cli/settings/read-settings.js';
import { runs } from '../../_runs.js';
import { directoryWith } from '../../fixtures/_directory.js';

/** Values that count, for variables that other programs read as well. */
const common: Readonly<Record<string, string>> = {
  PORT: '4001',
  HOST: '127.0.0.2',
  LOG_LEVEL: 'WARN',
};

/** Every option that has a variable, with its command. */
const allSettings = async () =>
  (await loadCommands()).flatMap((command) =>
    Object.values(command.options)
      .filter((option) => variableOf(option) !== null && !option.flags.startsWith('--config'))
      .map((option) => ({ command, option })),
  );

const nothing: ParsedOptions = { getOptionValue: () => undefined, getOptionValueSource: () => undefined };

const given = (option: Option): ParsedOptions => ({
  getOptionValue: () => 'by option',
  getOptionValueSource: (key) => (key === keyOf(option) ? 'cli' : undefined),
});

test('every setting comes from its option, else its variable, else a common one, else the file', async (t) => {
  const settings = await allSettings();
  t.true(settings.length > 100);
  const presence = fc.record({
    option: fc.boolean(),
    variable: fc.boolean(),
    common: fc.boolean(),
    file: fc.boolean(),
  });
  for (const { command, option } of settings) {
    const variable = variableOf(option) ?? '';
    const key = keyOf(option);
    await fc.assert(
      fc.asyncProperty(presence, async (has) => {
        const hasCommon = has.common && option.common !== undefined;
        const environment = {
          ...(has.variable ? { [variable]: 'by variable' } : {}),
          ...(hasCommon ? { [option.common.variable]: common[option.common.variable] } : {}),
        };
        const found = findSettings(command.options, {
          parsed: has.option ? given(option) : nothing,
          environment,
          file: new Map(has.file ? [[key, { value: 'by file', place: 'x.json:1' }]] : []),
        }).find((setting) => setting.option === option);
        const isFromFile = has.file && isInFile(option) && !hasCommon;
        const expected = has.option
          ? longFlag(option)
          : has.variable
            ? variable
            : isFromFile
              ? 'x.json:1'
              : hasCommon
                ? option.common.variable
                : 'default';
        t.is(found && originLabel(found.origin), expected, `${command.name} ${option.flags}`);
      }),
      runs(16),
    );
  }
});

const ofServe = (environment: Record<string, string>): readonly Setting[] =>
  findSettings(serveOptions, { parsed: nothing, environment, file: new Map() });

test('a variable that is empty is not set; one with a wrong value is', (t) => {
  const from = (environment: Record<string, string>) => {
    const found = ofServe(environment).find(({ name }) => name === 'port');
    return found && originLabel(found.origin);
  };
  t.is(from({ TRIAGE_PORT: '', PORT: '' }), 'default');
  t.is(from({ TRIAGE_PORT: 'wrong', PORT: '4001' }), 'TRIAGE_PORT');
});

for (const [name, wrong] of [
  ['PORT', ['abc', '-1', '70000', '/tmp/socket']],
  ['HOST', ['my-laptop', 'x86_64-apple-darwin', '0.0.0.0:80', 'https://example.com']],
  ['LOG_LEVEL', ['verbose', 'trace', '3']],
] as const) {
  test(`${name} that makes no sense here is ignored with a note`, (t) => {
    for (const value of wrong) {
      const noted = ofServe({ [name]: value }).filter(({ note }) => note !== null);
      t.deepEqual(
        noted.map(({ origin, problem }) => [originLabel(origin), problem]),
        [['default', null]],
        value,
      );
      t.true(noted[0]?.note?.startsWith(`${name} is ignored: expected `));
    }
  });
}

test('a switch in the environment is off where it says so', (t) => {
  for (const [text, isOn] of [
    ['false', false],
    ['0', false],
    ['off', false],
    ['', false],
    ['yes', true],
    ['True', true],
  ] as const)
    t.is(ofServe({ TRIAGE_STRICT: text }).find(({ name }) => name === 'strict')?.value, isOn, text);
});

const url = 'postgres://who:top-secret@127.0.0.1/x';

const databaseOf = (environment: Record<string, string>) =>
  ofServe(environment).find(({ name }) => name === 'databaseUrl');

test('a secret is read from the file that a variable names, without the line break at its end', async (t) => {
  const file = join(await directoryWith(t, {}), 'secret');
  for (const end of ['', '\n', '\r\n']) {
    await writeFile(file, `${url}${end}`);
    const found = databaseOf({ TRIAGE_DATABASE_URL_FILE: file });
    t.deepEqual([found?.value, found?.origin.name], [url, 'TRIAGE_DATABASE_URL_FILE']);
  }
  t.is(
    databaseOf({ TRIAGE_DATABASE_URL: url, TRIAGE_DATABASE_URL_FILE: '' })?.value,
    url,
    'an empty variable is not set',
  );
});

test('a secret file that cannot be used is an error that names the variable and shows no secret', async (t) => {
  const directory = await directoryWith(t, { url: 'mysql://who:top-secret@host/x\n', closed: '' });
  const [file, missing] = [join(directory, 'url'), join(directory, 'missing')];
  for (const [environment, expected] of [
    [
      { TRIAGE_DATABASE_URL_FILE: missing },
      `TRIAGE_DATABASE_URL_FILE: cannot read "${missing}": there is no such file`,
    ],
    [
      { TRIAGE_DATABASE_URL_FILE: directory },
      `TRIAGE_DATABASE_URL_FILE: cannot read "${directory}": it is a directory`,
    ],
    [
      { TRIAGE_DATABASE_URL_FILE: file },
      'TRIAGE_DATABASE_URL_FILE: expected a URL such as postgres://user:password@host:5432/database, got other text',
    ],
  ] as const)
    t.is(databaseOf(environment)?.problem, `environment variable ${expected}`);
  t.is(
    databaseOf({ TRIAGE_DATABASE_URL: url, TRIAGE_DATABASE_URL_FILE: file })?.problem,
    'environment variables TRIAGE_DATABASE_URL and TRIAGE_DATABASE_URL_FILE are both set; set one of them',
  );
  if (process.getuid?.() === 0) return;
  await chmod(join(directory, 'closed'), 0o000);
  t.regex(
    databaseOf({ TRIAGE_DATABASE_URL_FILE: join(directory, 'closed') })?.problem ?? '',
    /this user may not read it/,
  );
});

test('every session, token and database URL can be in a file, and nothing else', async (t) => {
  const isSecret = ({ flags }: Option): boolean =>
    /^--database-url|^--(?:\w+-)?(?:session|token) /.test(flags) && !flags.startsWith('--file-');
  for (const { options } of await loadCommands())
    for (const option of Object.values(options))
      t.is(option.isSecret ?? false, isSecret(option), option.flags);
});

test('the variable of an option has its name', async (t) => {
  const others = (await allSettings())
    .filter(
      ({ option }) =>
        variableOf(option) !== `TRIAGE_${longFlag(option).slice(2).replaceAll('-', '_').toUpperCase()}`,
    )
    .map(({ command, option }) => `${command.name} ${longFlag(option)} ${variableOf(option)}`);
  t.deepEqual(others, [
    'check --out TRIAGE_CHECK_OUT',
    'check --json TRIAGE_CHECK_JSON',
    'check --watch TRIAGE_CHECK_WATCH',
  ]);
});
