import * as E from '#fp-ts/Either';
import { accountOf, sizeProblem, type TenantSpec } from '../../data/generator/tenant-plan.js';
import { defineCommand } from '../define-command.js';
import { displayPath } from '../output/display-path.js';
import { shellCommand } from '../output/shell-command.js';
import { writeFilesTogether } from '../output/write-files-together.js';
import { settingsReader } from '../settings/settings-reader.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { GenerateSettings, generateOptions } from './generate-settings.js';
import { tenantFile } from './tenant-file.js';

/** Writes a fixture file for each tenant, and prints how to sign in and to serve them. */
const generate = async (
  settings: GenerateSettings,
  terminal: Terminal,
  argument: string,
): Promise<ExitCode> => {
  const { tenants, force, prs = Math.floor(settings.findings / 4), ...rest } = settings;
  const sizes = { ...rest, prs };
  const usageError = usageErrorOf(sizes);
  if (usageError !== null) {
    terminal.err(usageError);
    return exitCode.usage;
  }
  const directory = displayPath(argument);
  const specs = Array.from({ length: tenants }, (_, index): TenantSpec => ({ ...sizes, tenant: index + 1 }));
  let stopped: string | null = null;
  const files = specs.map((spec) =>
    tenantFile(directory, spec, {
      onPercent: (file, percent) =>
        terminal.progress(`writing ${file}, file ${spec.tenant} of ${tenants}: ${percent}%`),
      onTooLong: (file) => {
        stopped = `${file} ${tooLong}`;
      },
    }),
  );
  void terminal.onSignal().then(() => {
    stopped = 'interrupted';
  });
  const options = { force, pid: terminal.pid, stopReason: () => stopped };
  const written = await writeFilesTogether(files, options);
  terminal.progress('');
  if (E.isLeft(written)) {
    for (const line of written.left) terminal.err(line);
    return exitCode.failed;
  }
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
};

const usageErrorOf = (sizes: Pick<TenantSpec, 'repos' | 'findings' | 'prs'>): string | null => {
  const problem = sizeProblem(sizes);
  const { findings, repos, prs } = sizes;
  return problem === null ? null : `--findings ${findings}, --repos ${repos}, --prs ${prs}: ${problem}`;
};

const tooLong =
  'would be longer than the 536870888 characters that can be read at once; generate several tenants instead';

/** `triage-api generate`. */
export const generateCommand = defineCommand({
  name: 'generate',
  description: 'write fixture files of any size: the same seed and sizes give the same bytes',
  argument: { syntax: '<dir>', description: 'directory to write them to, *.json; it is created if missing' },
  options: generateOptions,
  examples: [
    { does: 'write one tenant with 10,000 findings', command: 'triage-api generate large --findings 10000' },
    { does: 'write three other tenants', command: 'triage-api generate several --tenants 3 --seed 7' },
  ],
  readSettings: settingsReader(GenerateSettings, generateOptions),
  run: generate,
});
