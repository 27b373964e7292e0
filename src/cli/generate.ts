import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import { UtcTime } from '../contract/codecs/timestamp.js';
import { accountOf, sizeProblem, type TenantSpec, tenantName } from '../data/generator/tenant-plan.js';
import { fixturePieces } from '../data/generator/tenant-rows.js';
import { maxBytes, maxRows } from '../fixtures/json-file.js';
import { defineCommand } from './define-command.js';
import { displayPath, fixtureSummary, shellCommand } from './output/text.js';
import { type NewFile, writeFilesTogether } from './output/write-files.js';
import { integerBetween, Seed } from './settings/codecs.js';
import { value, valueOr } from './settings/option.js';
import { forceOption } from './settings/shared-options.js';
import { exitCode, fail } from './terminal/terminal.js';

const Size = integerBetween('a whole number from 0 to 10000000', 0, 10_000_000);
const Repos = integerBetween('a whole number from 0 to 100000', 0, 100_000);
const Tenants = integerBetween('a whole number from 1 to 10000', 1, 10_000);

/** `triage-api generate`: writes a fixture file for each tenant, and prints how to serve them. */
export const generateCommand = defineCommand({
  name: 'generate',
  description: 'write fixture files of any size: the same seed and sizes give the same bytes',
  argument: ['<dir>', 'directory to write them to, *.json; it is created if missing'],
  options: {
    findings: valueOr('--findings <count>', Size, '500', 'findings of each tenant'),
    repos: valueOr('--repos <count>', Repos, '20', 'repositories of each tenant'),
    prs: value('--prs <count>', Size, 'pull requests of each; default: a quarter of the findings'),
    tenants: valueOr('--tenants <count>', Tenants, '1', 'tenants, one file each'),
    seed: valueOr('--seed <number>', Seed, '1', 'the same seed and sizes give the same bytes'),
    asOf: valueOr('--as-of <time>', UtcTime, '2026-11-20T12:00:00Z', 'time at which the data is current'),
    force: forceOption,
  },
  examples: {
    'write one tenant with 10,000 findings': 'triage-api generate large --findings 10000',
    'write three other tenants': 'triage-api generate several --tenants 3 --seed 7',
  },
  conflicts: ({ settings }) => {
    const { findings, repos, prs } = withPrs(settings);
    const problem = sizeProblem({ findings, repos, prs });
    return problem === null ? [] : [`--findings ${findings}, --repos ${repos}, --prs ${prs}: ${problem}`];
  },
  run: async ({ settings, terminal, words: [path = ''] }) => {
    const { tenants, force, ...sizes } = withPrs(settings);
    const directory = displayPath(path);
    const specs = Array.from(
      { length: tenants },
      (_, index): TenantSpec => ({ ...sizes, tenant: index + 1 }),
    );
    let stopped: string | null = null;
    const files = specs.map((spec) =>
      tenantFile(directory, spec, (file, percent, { rows, bytes }) => {
        terminal.progress(`writing ${file}, file ${spec.tenant} of ${tenants}: ${percent}%`);
        if (rows > maxRows || bytes > maxBytes) stopped = `${file} ${tooLarge}`;
      }),
    );
    void terminal.onSignal().then(() => {
      stopped = 'interrupted';
    });
    const options = { force, pid: terminal.pid, stopReason: () => stopped };
    const result = await writeFilesTogether(files, options);
    if (E.isLeft(result)) return fail(terminal, result.left);
    terminal.progress('');
    for (const [index, spec] of specs.entries()) {
      const { user, sessions, apiTokens } = accountOf(spec);
      terminal.out(files[index]?.summary() ?? '');
      terminal.out(
        `  password: ${user.password}, session cookie: ${sessions[0]?.value}, bearer token: ${apiTokens[0]?.token}`,
      );
    }
    terminal.out(
      `to serve ${tenants === 1 ? 'it' : 'them'}: ${shellCommand(['serve', '--fixtures', directory])}`,
    );
    return exitCode.done;
  },
});

/** The number of pull requests depends on that of the findings, unless it is given. */
const withPrs = <A extends Readonly<{ findings: number; prs: number | undefined }>>(settings: A) => ({
  ...settings,
  prs: settings.prs ?? Math.floor(settings.findings / 4),
});

const tooLarge = `would have more than the ${maxRows} rows or ${maxBytes} bytes of a fixture file; generate several tenants instead`;

/**
 * The file of a tenant in a directory, which is generated while it is written. Before each piece,
 * `onProgress` gets the part that is done and the size with this piece. `summary` is the line about the file,
 * once it was written.
 */
const tenantFile = (
  directory: string,
  spec: TenantSpec,
  onProgress: (file: string, percent: number, size: Readonly<{ rows: number; bytes: number }>) => void,
): NewFile & Readonly<{ summary: () => string }> => {
  const file = join(directory, `${tenantName(spec)}.json`);
  const counts = { repos: 0, scans: 0, fixDrafts: 0, pullRequests: 0, sessions: 0, apiTokens: 0 };
  const pieces = function* (): Iterable<string> {
    const total = Math.max(1, spec.repos + spec.findings + spec.prs);
    let bytes = 0;
    for (const { text, collection } of fixturePieces(spec)) {
      bytes += Buffer.byteLength(text);
      if (collection !== null) counts[collection] += 1;
      const done = counts.repos + counts.fixDrafts + counts.pullRequests;
      onProgress(file, Math.floor((100 * done) / total), { rows: done + counts.scans, bytes });
      yield text;
    }
  };
  const summary = (): string => fixtureSummary(file, accountOf(spec), counts);
  return { file, pieces: pieces(), summary };
};
