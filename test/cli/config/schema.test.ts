import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { loadSettings } from '../../../src/cli/program.js';
import { configSchema, type FileSetting, readConfig } from '../../../src/cli/settings/config-file.js';
import { directoryWith } from '../../fixtures/_directory.js';

const schemaFile = new URL('../../../../schema/config.schema.json', import.meta.url);

let settings: readonly FileSetting[] = [];
let settable: readonly FileSetting[] = [];
let validate: (content: unknown) => boolean = () => false;
test.before(async () => {
  settings = await loadSettings();
  settable = settings.filter(({ isInFile }) => isInFile);
  const formats = { email: true, 'date-time': true } as const;
  const ajv = new Ajv2020({ allowUnionTypes: true, formats });
  validate = ajv.compile(configSchema(settings));
});

const accepts = ({ fromJson }: FileSetting, value: unknown): boolean =>
  E.isRight(fromJson(value, 'triage-api.config.json'));

test('the schema that is shipped is that of the settings', async (t) => {
  const shipped: unknown = JSON.parse(await readFile(schemaFile, 'utf8'));
  t.deepEqual(shipped, configSchema(settings), 'run `npm run derive`');
});

test('a setting of several commands takes the same values everywhere, so that one can be for all', (t) => {
  const schemas = new Map<string, unknown>();
  for (const { key, schema } of settable) {
    t.deepEqual(schema, schemas.get(key) ?? schema, key);
    schemas.set(key, schema);
  }
  t.true(schemas.size > 60);
});

const values: readonly unknown[] = [
  ...[-2, 0, 1, 5, 80, 70_000, 0.5, true, false, null, '', 'acme', '64mb', '90%', 'info', 'acme/web'],
  ...['https://app.example.com', '2026-11-20T12:00:00Z', [], ['acme'], ['acme/web', 5]],
];

test('the schema accepts what the program accepts, and refuses values of other types', (t) => {
  for (const key of new Set(settable.map((setting) => setting.key))) {
    const ofKey = settable.filter((setting) => setting.key === key);
    const accepted = values.filter((value) => ofKey.every((setting) => accepts(setting, value)));
    for (const value of accepted) t.true(validate({ [key]: value }), `${key}: ${value}`);
  }
  for (const wrong of [{ port: '4000' }, { prot: 4000 }, { serve: {} }]) t.false(validate(wrong));
});

test('the config file that the documents show is valid', async (t) => {
  const page = await readFile(new URL('../../../../docs/command-line.md', import.meta.url), 'utf8');
  const [, shown = ''] = /^```json config\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const content: object = JSON.parse(shown);
  t.true(validate(content));
  const file = join(await directoryWith(t, { 'triage-api.config.json': content }), 'triage-api.config.json');
  t.true(E.isRight(await readConfig({ file, namedBy: null }, settings, async () => settings)));
});
