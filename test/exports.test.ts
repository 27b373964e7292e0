import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { sources } from './_imports.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What `src` exports for tests alone, and why no test can do without. */
const forTests: Readonly<Record<string, string>> = {
  'api/endpoint.ts endpoint': 'wrong programs must not compile with it',
  'cli/program.ts commands': 'documents list all of them',
  'cli/program.ts loadCommands': 'documents have the options of all of them',
  'cli/program.ts loadSettings': 'the schema of config files has the options of all of them',
  'cli/program.ts programExamples': 'all examples of the help are run',
  'cli/serve/database-backend.ts startHousekeeping': 'it works once an hour',
  'cli/serve/watch-fixtures.ts watchFiles': 'a test chooses how files are watched',
  'cli/settings/config-file.ts configSchema': 'the schema is a file that is derived',
  'cli/settings/option.ts isNegatable': 'documents show options as the help does',
  'cli/terminal/open-browser.ts browserPrograms': 'machines have other systems',
  'cli/terminal/process-terminal.ts progressLine': 'a test has no terminal of any width',
  'cli/terminal/process-terminal.ts styleFor': 'a test has no terminal with other settings',
  'cli/verify.ts verifyThrottling': 'a test does not wait as long as requests are apart',
  'data/generator/tenant-rows.ts tenantRows': 'distributions show in many rows alone',
  'data/reports/read-report.ts allFormats': 'each format has samples',
  'demo/open-demo.ts hiddenHeaders': 'only browsers make such requests',
  'demo/open-demo.ts openDemo': 'tests have no service worker',
  'koa/compression.ts readAcceptEncoding': 'a table of many headers',
  'koa/guard.ts addressKey': 'a table of many addresses, which a machine does not have',
  'openapi/components.ts namedCodecs': 'every codec is compared with its schema',
  'postgres/tenants.ts importTenants': 'a database has tenants that no fixture could have',
  'simulation/lies/tell.ts tellLies': 'a test tells one lie without a server',
  'simulation/prefer-header.ts readPreferHeader': 'a table of many headers',
  'storage-kit/conformance/api-cases.ts arbitrary': 'the model and fixtures are tested with such tenants',
  'verify/verify.ts runChecks': 'a few checks take less time than all',
};

/** How a file names others and what it takes from them: by a statement, or when they are first needed. */
const patterns = [
  /^(?:import|export) (?:type )?\{(?<names>[^}]*)\} from '(?<from>\.[^']+)'/gm,
  /\{(?<names>[^{}]*)\} = await import\('(?<from>\.[^']+)'\)/g,
  /import\('(?<from>\.[^']+)'\)\)?\.(?:then\(\(\{)?(?<names>[^})]*)/g,
];

/** The names that a file imports of others, with their files: `api/call.ts Layer`. */
const importsIn = async (file: string): Promise<readonly string[]> => {
  const code = await readFile(file, 'utf8');
  return patterns.flatMap((pattern) =>
    Array.from(code.matchAll(pattern)).flatMap(({ groups: { names = '', from = '' } = {} }) => {
      const path = relative(join(root, 'src'), resolve(file, '..', from)).replace(/\.js$/, '.ts');
      return names.split(',').map((name) => `${path} ${/(?:type )?(\w*)/.exec(name.trim())?.[1]}`);
    }),
  );
};

const namesIn = async (folder: string): Promise<ReadonlySet<string>> =>
  new Set((await Promise.all((await sources(join(root, folder))).map(importsIn))).flat());

test('src exports for tests alone what the table gives a reason for, and 25 names at most', async (t) => {
  const [used, tested] = await Promise.all(['src', 'test'].map(namesIn));
  const exported = await Promise.all(
    (await sources(join(root, 'src'))).map(async (file) => {
      const code = await readFile(file, 'utf8');
      const path = relative(join(root, 'src'), file);
      return Array.from(
        code.matchAll(/^export (?:const|class|type|interface) (\w+)/gm),
        ([, name]) => `${path} ${name}`,
      );
    }),
  );
  const entries = new Set(
    Object.values<{ default?: string }>(
      JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).exports,
    ).map((entry) => entry.default?.replace(/.*build\/src\//, '').replace(/\.js$/, '.ts')),
  );
  const alone = exported
    .flat()
    .filter((name) => tested?.has(name) && !used?.has(name))
    // The entry `triage-api/verify` is a bundle of its file.
    .filter((name) => !entries.has(name.split(' ')[0]) && !name.startsWith('verify/contract-tests.ts '));
  t.deepEqual(alone.sort(), Object.keys(forTests).sort());
  t.true(alone.length <= 25, String(alone.length));
});
