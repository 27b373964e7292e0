import test from 'ava';
import * as fc from 'fast-check';
import { loadCommands } from '../../../src/cli/program.js';
import { keyOf, longFlag } from '../../../src/cli/settings/option-names.js';
import type { OptionText, ParsedOptions } from '../../../src/cli/settings/options.js';
import { runs } from '../../_runs.js';

/** Values that count, for variables that other programs read as well. */
const common: Readonly<Record<string, string>> = {
  PORT: '4001',
  HOST: '127.0.0.2',
  LOG_LEVEL: 'WARN',
  DATABASE_URL: 'postgres://127.0.0.1/common',
};

const commands = await loadCommands();

/** Every option that has a variable, with its command. */
const settings = commands.flatMap((command) =>
  command.name === 'config'
    ? []
    : Object.values<OptionText>(command.options)
        .filter(({ flags, variable }) => variable !== undefined && !flags.startsWith('--config'))
        .map((option) => ({ command, option })),
);

const given = (option: OptionText, isGiven: boolean): ParsedOptions => ({
  getOptionValue: () => 'by option',
  getOptionValueSource: (key) => (isGiven && key === keyOf(option.flags) ? 'cli' : undefined),
});

test('every setting comes from its option, else its variable, else a common one (of a database last), else the file', async (t) => {
  t.true(settings.length > 100);
  const presence = fc.record({
    option: fc.boolean(),
    variable: fc.boolean(),
    generic: fc.boolean(),
    file: fc.boolean(),
  });
  for (const { command, option } of settings) {
    const { flags, variable = '', generic, notInFile = false } = option;
    const key = keyOf(flags);
    await fc.assert(
      fc.asyncProperty(presence, async (has) => {
        const environment = {
          ...(has.variable ? { [variable]: 'by variable' } : {}),
          ...(has.generic && generic !== undefined ? { [generic.variable]: common[generic.variable] } : {}),
        };
        const file = new Map(has.file ? [[key, { value: 'by file', place: 'x.json:1' }]] : []);
        const { settings: explained } = await command.explain(given(option, has.option), {
          environment,
          file,
        });
        const expected = has.option
          ? longFlag(flags)
          : has.variable
            ? variable
            : has.file &&
                !notInFile &&
                (!has.generic || generic === undefined || generic.isBelowFile === true)
              ? 'x.json:1'
              : has.generic && generic !== undefined
                ? generic.variable
                : 'default';
        t.is(explained.find((setting) => setting.key === key)?.from, expected, `${command.name} ${flags}`);
      }),
      runs(16),
    );
  }
});

test('a variable is empty, or has the value of a service of Kubernetes: it is not set', async (t) => {
  const [serve] = commands;
  const from = async (environment: Record<string, string>) =>
    (
      await serve?.explain(given({ flags: '--none', description: '' }, false), {
        environment,
        file: new Map(),
      })
    )?.settings.find(({ key }) => key === 'port')?.from;
  t.is(await from({ TRIAGE_PORT: '', PORT: '' }), 'default');
  t.is(await from({ TRIAGE_PORT: 'tcp://10.0.0.1:4000' }), 'default');
  t.is(await from({ TRIAGE_PORT: 'tcp://10.0.0.1:4000', PORT: '4001' }), 'PORT');
  t.is(await from({ TRIAGE_PORT: 'wrong', PORT: '4001' }), 'TRIAGE_PORT');
});

for (const [name, wrong] of [
  ['PORT', ['abc', '-1', '70000', 'tcp://10.0.0.1:80', '/tmp/socket']],
  ['HOST', ['my-laptop', 'x86_64-apple-darwin', '0.0.0.0:80', 'https://example.com']],
  ['LOG_LEVEL', ['verbose', 'trace', '3']],
  ['DATABASE_URL', ['mysql://u:top-secret@h/x', 'sqlite:///x.db', 'file:./dev.db', 'postgres', '$OTHER']],
] as const) {
  test(`${name} that makes no sense here is ignored with a note that shows no secret`, async (t) => {
    const [serve] = commands;
    for (const value of wrong) {
      const explained = await serve?.explain(given({ flags: '--none', description: '' }, false), {
        environment: { [name]: value },
        file: new Map(),
      });
      const noted = explained?.settings.filter(({ note }) => note !== null) ?? [];
      if (name === 'PORT' && value.startsWith('tcp:')) continue;
      t.deepEqual(
        noted.map(({ from, problem }) => [from, problem]),
        [['default', null]],
        value,
      );
      t.true(noted[0]?.note?.startsWith(`${name} is ignored: expected `));
      t.false(noted[0]?.note?.includes('top-secret'));
    }
  });
}
