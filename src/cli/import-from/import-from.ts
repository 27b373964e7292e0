import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as E from '#fp-ts/Either';
import { escapeControlCharacters } from '../../common/messages.js';
import { formatProblem } from '../../contract/codecs/problem.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { fixtureText, textOfFields } from '../../contract-tools/record/fixture-from-lists.js';
import { type AssembledTenant, assembleTenant, type ReadFile } from '../../data/reports/assemble-tenant.js';
import { ImportSummary, summaryText } from '../../data/reports/import-summary.js';
import { readReport } from '../../data/reports/read-report.js';
import { defineCommand } from '../define-command.js';
import { fixtureSummary } from '../output/fixtures.js';
import { jsonReport } from '../output/json-report.js';
import { writeFileInDirectory } from '../output/write-file-atomically.js';
import { settingsReader } from '../settings/settings-reader.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { ImportFromSettings, importFromOptions } from './import-from-settings.js';
import { fileName, readBounded, standardStream } from './read-bounded.js';
import { usageErrors } from './usage-errors.js';

/** Makes a tenant of the reports of scanners. */
const importFrom = async (
  settings: ImportFromSettings,
  terminal: Terminal,
  files: readonly string[],
): Promise<ExitCode> => {
  const { out, force, asOf } = settings;
  const printError = (line: string): void => terminal.err(escapeControlCharacters(line));
  const fail = (lines: readonly string[], code: ExitCode = exitCode.failed): ExitCode => {
    for (const line of lines) printError(line);
    return code;
  };
  const wrongUsage = usageErrors(files, settings);
  if (wrongUsage.length > 0) return fail(wrongUsage, exitCode.usage);
  if (out !== undefined && !force && (await exists(out)))
    return fail([`${out} already exists; pass --force to overwrite it`]);

  const read = await readFiles(files, settings, terminal);
  if (E.isLeft(read)) return fail([...read.left, 'nothing was imported']);
  const tenant = assembleTenant(read.right, {
    name: out === undefined ? 'imported' : basename(out, '.json'),
    asOf: asOf ?? timestampAt(Date.now()),
    file: out ?? null,
  });
  if (E.isLeft(tenant)) return fail([...tenant.left.map(formatProblem), 'nothing was imported']);
  return write(tenant.right, settings, terminal);
};

/** Reads one file after the other. `left`: a line for each file that cannot be imported. */
const readFiles = async (
  files: readonly string[],
  { repo, maxSize }: ImportFromSettings,
  terminal: Terminal,
): Promise<E.Either<readonly string[], readonly ReadFile[]>> => {
  const read: ReadFile[] = [];
  const problems: string[] = [];
  for (const [index, file] of files.entries()) {
    terminal.progress(`reading ${fileName(file)}, file ${index + 1} of ${files.length}`);
    const report = E.flatMap(readReport)(await readBounded(file, terminal, maxSize));
    if (E.isLeft(report)) problems.push(`${fileName(file)} ${report.left}`);
    else read.push({ file: fileName(file), repo: repo[index] ?? null, report: report.right });
  }
  terminal.progress('');
  return problems.length === 0 ? E.right(read) : E.left(problems);
};

/** Writes the tenant and the summary, and prints what is not in a file of its own. */
const write = async (
  { sparse, complete, summary }: AssembledTenant,
  { out, json, sparse: isSparse }: ImportFromSettings,
  terminal: Terminal,
): Promise<ExitCode> => {
  const text = isSparse ? textOfFields(sparse) : fixtureText(complete);
  const summaryJson = jsonReport(ImportSummary.encode(summary));
  const files = [
    ...(out === undefined ? [] : [{ file: out, content: text }]),
    ...(json === undefined || json === standardStream ? [] : [{ file: json, content: `${summaryJson}\n` }]),
  ];
  for (const { file, content } of files) {
    const written = await writeFileInDirectory(file, content)();
    if (E.isLeft(written)) {
      terminal.err(escapeControlCharacters(written.left));
      return exitCode.failed;
    }
  }
  if (json === standardStream) {
    terminal.out(summaryJson);
    return exitCode.done;
  }
  for (const line of summaryText(summary)) terminal.err(line);
  if (out === undefined) terminal.out(text.trimEnd());
  const print = out === undefined ? terminal.err : terminal.out;
  print(fixtureSummary(out ?? 'standard output', complete));
  for (const line of credentialLines(summary)) print(escapeControlCharacters(line));
  return exitCode.done;
};

const credentialLines = ({
  tenant: { email, password, session, token },
}: ImportSummary): readonly string[] => [
  `e-mail address: ${email}, password: ${password}`,
  `session cookie: ${session}, bearer token: ${token}`,
];

const exists = async (file: string): Promise<boolean> => {
  try {
    await lstat(file);
    return true;
  } catch {
    return false;
  }
};

/** `triage-api import-from`. */
export const importFromCommand = defineCommand({
  name: 'import-from',
  description: 'make a fixture file of the reports of scanners, such as npm audit, Dependabot or Trivy',
  argument: {
    syntax: '<file...>',
    description: 'reports, in any order and of any format; - reads standard input',
  },
  options: importFromOptions,
  examples: [
    {
      does: 'make a fixture file of what npm audit reports',
      command: 'npm audit --json | triage-api import-from - --repo acme/web -o web.json',
    },
    {
      does: 'combine the reports of several scanners',
      command:
        'triage-api import-from trivy.json npm-audit.json \\\n      --repo acme/api --repo acme/web -o both.json',
    },
  ],
  readSettings: settingsReader(ImportFromSettings, importFromOptions),
  run: (settings: ImportFromSettings, terminal, _argument, _version, files) =>
    importFrom(settings, terminal, files),
});
