import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { configProblems } from '../../../src/cli/config/check-config.js';
import { configSchema } from '../../../src/cli/config/config-schema.js';
import { loadCommands } from '../../../src/cli/program.js';
import { runs } from '../../_runs.js';

const schemaFile = new URL('../../../../schema/config.schema.json', import.meta.url);

const commands = await loadCommands();
const validate = new Ajv2020({ allowUnionTypes: true, formats: { email: true } }).compile(
  await configSchema(commands),
);

test('the schema that is shipped is that of the settings', async (t) => {
  const shipped: unknown = JSON.parse(await readFile(schemaFile, 'utf8'));
  t.deepEqual(shipped, await configSchema(commands), 'run `npm run derive`');
});

test('the schema has every setting of every command, and no decision about a single run', async (t) => {
  const { properties } = await configSchema(commands);
  const keys = Object.keys(Object(properties));
  for (const key of [
    'port',
    'databaseUrl',
    'logLevel',
    'corsOrigin',
    'rate',
    'distribution',
    'serve',
    'verify',
  ])
    t.true(keys.includes(key), key);
  for (const key of ['yes', 'force', 'replace', 'restart', 'config']) t.false(keys.includes(key), key);
});

test('a setting of several commands has the same type everywhere, so that one value can be for all', async (t) => {
  const types = new Map<string, unknown>();
  for (const command of commands) {
    for (const { key, schema } of await command.fileSettings()) {
      t.deepEqual(schema.type, types.get(key) ?? schema.type, `${command.name} ${key}`);
      types.set(key, schema.type);
    }
  }
  t.true(types.size > 60);
});

test('no setting has the name of a command', async (t) => {
  const settings = (await Promise.all(commands.map((command) => command.fileSettings()))).flat();
  const names = commands.map(({ name }) => name);
  t.deepEqual(
    settings.filter(({ key }) => names.includes(key)),
    [],
  );
});

/** Values that some settings take and others do not. */
const values = fc.oneof(
  fc.integer({ min: -2, max: 70_000 }),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.boolean(),
  fc.constantFrom(null, '', 'acme', '64mb', '90%', 'info', 'https://app.example.com', '2026-11-20T12:00:00Z'),
  fc.array(fc.constantFrom('acme', 'acme/web', 'https://app.example.com', 5), { maxLength: 2 }),
);

test('the schema accepts what the program accepts, and refuses values of other types', async (t) => {
  for (const command of commands) {
    for (const { key, fromJson } of await command.fileSettings()) {
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          const isAccepted = E.isRight(fromJson(value, 'triage-api.config.json'));
          if (isAccepted) t.true(validate({ [command.name]: { [key]: value } }), `${command.name} ${key}`);
        }),
        runs(30),
      );
    }
  }
  t.false(validate({ port: '4000' }));
  t.false(validate({ prot: 4000 }));
  t.false(validate({ serve: { url: 'http://127.0.0.1:4000' } }));
});

test('the program accepts every number that the schema accepts', async (t) => {
  for (const command of commands) {
    for (const { key, schema, fromJson } of await command.fileSettings()) {
      const [min, max] = [Number(schema.minimum), Number(schema.maximum)];
      if (Number.isNaN(min + max)) continue;
      const numbers =
        schema.type === 'number' ? fc.double({ min, max, noNaN: true }) : fc.integer({ min, max });
      const accepts = (value: number) => E.isRight(fromJson(value, 'triage-api.config.json'));
      await fc.assert(
        fc.asyncProperty(fc.oneof(numbers, fc.constantFrom(min, max)), async (value) =>
          t.true(accepts(value), `${command.name} ${key}: ${value}`),
        ),
        runs(30),
      );
    }
  }
});

test('the program refuses what the schema refuses: values of other types, unknown keys', async (t) => {
  const problems = async (content: unknown) =>
    (await configProblems({ file: 'x.json', isPackage: false, content }, commands)).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
  t.deepEqual(await problems({ port: '4000', watch: 'yes', corsOrigin: 'https://app.example.com' }), [
    'port: expected a number, a port from 0 to 65535, got "4000"',
    'watch: expected true or false, got "yes"',
    'corsOrigin: expected a list, origins such as https://app.example.com, or https://*.preview.example.com below a domain of your own (never all: their pages act in the name of whoever visits them), got "https://app.example.com"',
  ]);
  t.deepEqual(await problems({ prot: 1, serve: { Port: 1 }, verfy: {}, check: 5 }), [
    'prot: unknown key; did you mean "port"?',
    'serve.Port: unknown key; did you mean "port"?',
    'verfy: unknown key; did you mean "verify"?',
    'check: expected an object of settings of check, got 5',
  ]);
});

test('the config file that the documents show is valid', async (t) => {
  const page = await readFile(new URL('../../../../docs/command-line.md', import.meta.url), 'utf8');
  const [, shown = ''] = /^```json config\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const content: unknown = JSON.parse(shown);
  t.true(validate(content));
  t.deepEqual(
    await configProblems({ file: 'triage-api.config.json', isPackage: false, content }, commands),
    [],
  );
});
