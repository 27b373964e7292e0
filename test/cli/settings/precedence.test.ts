import { join } from 'node:path';
import test from 'ava';
import { loadCommands } from '../../../src/cli/program.js';
import { serveOptions } from '../../../src/cli/serve/serve-options.js';
import { isInFile, keyOf, longFlag, type Option, variableOf } from '../../../src/cli/settings/option.js';
import {
  findSettings,
  originLabel,
  type ParsedOptions,
  type Setting,
} from '../../../src/cli/settings/read-settings.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { run } from '../_cli.js';

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

test('for every setting, its option wins over its variable, then a common variable, the file and the default', async (t) => {
  const settings = await allSettings();
  t.true(settings.length > 100);
  for (const { command, option } of settings) {
    const [flag, variable, shared] = [longFlag(option), variableOf(option) ?? '', option.common?.variable];
    const sources = [flag, variable, ...(shared ? [shared] : []), ...(isInFile(option) ? ['x.json:1'] : [])];
    const winners = [...sources, 'default'].map((_, from) => {
      const present = sources.slice(from);
      const found = findSettings(command.options, {
        parsed: present.includes(flag) ? given(option) : nothing,
        environment: Object.fromEntries(present.map((name) => [name, common[name] ?? 'by variable'])),
        file: new Map(
          present.includes('x.json:1') || !isInFile(option)
            ? [[keyOf(option), { value: 'by file', place: 'x.json:1' }]]
            : [],
        ),
      }).find((setting) => setting.option === option);
      return found && originLabel(found.origin);
    });
    t.deepEqual(winners, [...sources, 'default'], `${command.name} ${flag}`);
  }
});

const ofServe = (environment: Record<string, string>): readonly Setting[] =>
  findSettings(serveOptions, { parsed: nothing, environment, file: new Map() });

test('the words of a variable turn a switch on or off; an empty one is not set, and a wrong one is', (t) => {
  for (const [name, environment, origin, value] of [
    ...['false', '0', 'off'].map(
      (text) => ['strict', { TRIAGE_STRICT: text }, 'TRIAGE_STRICT', false] as const,
    ),
    ...['yes', 'True'].map((text) => ['strict', { TRIAGE_STRICT: text }, 'TRIAGE_STRICT', true] as const),
    ['strict', { TRIAGE_STRICT: '' }, 'default', false],
    ['port', { TRIAGE_PORT: '', PORT: '' }, 'default', 4000],
    ['port', { TRIAGE_PORT: 'wrong', PORT: '4001' }, 'TRIAGE_PORT', undefined],
  ] as const) {
    const found = ofServe(environment).find((setting) => setting.name === name);
    t.deepEqual<unknown, unknown>([found && originLabel(found.origin), found?.value], [origin, value], name);
  }
});

test('a secret is read from the file that a variable names, without the line break at its end; no error shows it', async (t) => {
  const url = 'postgres://who:top-secret@127.0.0.1/x';
  const directory = await directoryWith(t, {
    plain: url,
    unix: `${url}\n`,
    windows: `${url}\r\n`,
    wrong: 'mysql://top-secret\n',
  });
  const [wrong, missing] = [join(directory, 'wrong'), join(directory, 'missing')];
  const ofFile = 'environment variable TRIAGE_DATABASE_URL_FILE:';
  const form = 'expected a URL such as postgres://user:password@host:5432/database, got other text';
  const both =
    'environment variables TRIAGE_DATABASE_URL and TRIAGE_DATABASE_URL_FILE are both set; set one of them';
  for (const [variable, file, problem] of [
    ...['plain', 'unix', 'windows'].map((name) => ['', join(directory, name), null] as const),
    [url, '', null],
    ['', missing, `${ofFile} cannot read "${missing}": there is no such file`],
    ['', directory, `${ofFile} cannot read "${directory}": it is a directory`],
    ['', wrong, `${ofFile} ${form}`],
    [url, wrong, both],
  ] as const) {
    const environment = { TRIAGE_DATABASE_URL: variable, TRIAGE_DATABASE_URL_FILE: file };
    const found = ofServe(environment).find(({ name }) => name === 'databaseUrl');
    t.deepEqual([found?.value, found?.problem], [problem === null ? url : undefined, problem], file);
  }
});

test('every session, token and database URL can be in a file, and nothing else', async (t) => {
  const isSecret = ({ flags }: Option): boolean =>
    /^--database-url|^--(?:\w+-)?(?:session|token) /.test(flags) && !flags.startsWith('--file-');
  for (const { options } of await loadCommands())
    for (const option of Object.values(options))
      t.is(option.isSecret ?? false, isSecret(option), option.flags);
});

test('every command warns about unknown variables of its own prefix, and suggests the name that was probably meant', async (t) => {
  const environment = {
    ...{ TRIAGE_STRIKT: 'true', TRIAGE_DATABASE_URL_FIEL: '/x', TRIAGE_SOMETHING_ELSE: '1' },
    // These exist: two of them for other commands.
    ...{ TRIAGE_STRICT: 'false', TRIAGE_JUNIT: 'x', TRIAGE_SESSION_FILE: 'x', PATH: '/bin' },
  };
  const warning = 'warning: no setting is called ';
  t.like(await run(['check', 'fixtures'], environment), {
    code: 0,
    err: `${warning}TRIAGE_DATABASE_URL_FIEL; did you mean TRIAGE_DATABASE_URL_FILE?
${warning}TRIAGE_SOMETHING_ELSE
${warning}TRIAGE_STRIKT; did you mean TRIAGE_STRICT?
`,
  });
  t.is((await run(['--version'], environment)).err, '');
});
