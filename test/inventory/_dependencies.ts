import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Locked, lockedPackages, root, withDependencies } from './_shipped-packages.js';

/** What each package is for that is installed with this one because we import it. */
const installed: Readonly<Record<string, string>> = {
  '@koa/cors': 'CORS headers',
  '@koa/router': 'routes',
  'fp-ts': 'errors as values: `Either`, `TaskEither`',
  'io-ts': 'codecs: the contract and the records',
  'ipaddr.js': 'network addresses in one form, for limits on logins',
  'jsonc-parser': 'line and column of what is wrong in a fixture file',
  koa: 'the HTTP server',
  'koa-bodyparser': 'bodies of forms: login, sign-up, API tokens',
  lowdb: 'reading fixtures, writing the state file',
  'rate-limiter-flexible': 'limits on logins and sign-ups',
};

/** The same for packages in the bundle of the command line. */
const bundled: Readonly<Record<string, string>> = {
  commander: 'the command line: commands, options, help',
  lilconfig: 'finding and reading the config file',
  pg: 'PostgreSQL: `--database-url`, `migrate`, `import` and so on',
  'prom-client': '`serve --metrics-port`: metrics for Prometheus',
  'string-width': 'progress that fits into the width of a terminal',
};

/** How much the packages may be that are installed with this one. */
export const limits = { packages: 90, megabytes: 25 } as const;

type Size = Readonly<{ packages: number; bytes: number }>;

/** The size of all files in a folder, without the packages in it. */
const bytesIn = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? bytesIn(path) : stat(path).then(({ size }) => size);
    });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

const sizeOf = async (locked: Locked, names: readonly string[]): Promise<Size> => {
  const folders = Array.from(withDependencies(locked, names));
  const present = folders.filter((folder) => locked[folder] !== undefined);
  const sizes = await Promise.all(present.map((folder) => bytesIn(join(root, folder))));
  return { packages: present.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
};

/** The size of all packages that are installed with this one. */
export const installedSize = async (): Promise<Size> =>
  sizeOf(await lockedPackages(), Object.keys(installed));

/** The packages that we import, by how they are shipped. */
export const explained = { installed: Object.keys(installed), bundled: Object.keys(bundled) } as const;

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

const table = async (
  locked: Locked,
  purposes: Readonly<Record<string, string>>,
  all: string,
): Promise<readonly string[]> => {
  const row = async (title: string, purpose: string, names: readonly string[]): Promise<string> => {
    const { packages, bytes } = await sizeOf(locked, names);
    return `| ${title} | ${purpose} | ${packages} | ${megabytes(bytes)} |`;
  };
  const rows = Object.entries(purposes).map(([name, purpose]) => row(`\`${name}\``, purpose, [name]));
  return [
    '| package | what for | packages | MB |',
    '|---|---|---|---|',
    ...(await Promise.all(rows)),
    await row(all, '', Object.keys(purposes)),
  ];
};

/** `docs/dependencies.md`. */
export const dependenciesPage = async (): Promise<string> => {
  const locked = await lockedPackages();
  return `${[
    '# Dependencies',
    '',
    'This page is written by `npm run derive` from the lock file; a test compares it. "packages" counts a package with all that it',
    'depends on, and "MB" is the size of their files. Packages that several need count in each row, and once in the total.',
    '',
    '```sh',
    'npm ls --omit=dev --all',
    '```',
    '',
    'lists the installed ones with their versions.',
    '',
    '## Installed',
    '',
    `\`npm install triage-api\` installs these. A test fails if they are more than ${limits.packages} packages or ${limits.megabytes} MB.`,
    '',
    ...(await table(locked, installed, '**all, each counted once**')),
    '',
    'Most of what `koa-bodyparser` brings belongs to `qs`, which it uses to read forms.',
    '',
    '`fp-ts` and `io-ts` are the only ones with a range of versions. Codecs that you compose with those of `triage-api/contract` have to come',
    'from the same copy of io-ts, so npm installs one that suits both you and this package. A test does so with several versions, among them',
    'the oldest ones that are accepted. Every other package of this table is pinned to one version.',
    '',
    '## In the bundle of the command line',
    '',
    '`bin/triage-api.js` starts a bundle, `build/bin`, because it starts in half the time that hundreds of small files take. It contains',
    'the code of the packages above as well. Only the command line uses the packages below, so they are not installed: a fix in one of',
    'them comes with a release of this package. [security.md](security.md#dependencies) says how we learn of one.',
    '',
    ...(await table(locked, bundled, '**all, each counted once**')),
    '',
    'The files of Swagger UI for `/docs` are copied from `swagger-ui-dist`. The bill of materials, `sbom.cdx.json`, and',
    '`THIRD-PARTY-LICENSES.txt` list everything: what is installed, bundled or copied.',
  ].join('\n')}\n`;
};
