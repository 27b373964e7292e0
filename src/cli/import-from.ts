import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import * as E from '#fp-ts/Either';
import { jsonWithRows } from '../common/json.js';
import { errorCode } from '../common/replace-file.js';
import { formatProblem } from '../contract/codecs/problem.js';
import { timestampAt, UtcTime } from '../contract/codecs/timestamp.js';
import { type AssembledTenant, assembleTenant, type ReadFile } from '../data/reports/assemble-tenant.js';
import { ImportSummary, summaryText } from '../data/reports/import-summary.js';
import { isRepoName } from '../data/reports/package-and-repo-names.js';
import { readReport } from '../data/reports/read-report.js';
import { fixtureText } from '../verify/record/fixture-from-lists.js';
import { defineCommand } from './define-command.js';
import { countOf, countsOf, fixtureSummary, jsonReport, messageOf } from './output/text.js';
import { alreadyExists, exists, standardStream, writeFileInDirectory } from './output/write-files.js';
import { ByteSize, listOf, NonEmptyString } from './settings/codecs.js';
import { flag, type SettingsOf, value, valueOr } from './settings/option.js';
import { forceOption, jsonReportOption } from './settings/shared-options.js';
import { type ExitCode, exitCode, fail, type Terminal } from './terminal/terminal.js';

const RepoNames = listOf('repositories such as acme/web', isRepoName, {
  item: { pattern: '^[^/]+/[^/]+$' },
  error: 'a repository such as acme/web, of letters, digits, hyphens, underscores and dots',
});

const importFromOptions = {
  out: value('-o, --out <path>', NonEmptyString, 'file to write, or its folder; default: standard output'),
  repo: valueOr('--repo <owner/name>', RepoNames, [], 'repository of the first file; again for the next', {
    isRepeatable: true,
  }),
  force: forceOption,
  sparse: flag('--sparse', 'write only what the reports say'),
  asOf: value('--as-of <time>', UtcTime, 'time at which the data is current; default: now'),
  maxSize: valueOr('--max-size <size>', ByteSize, '100mb', 'maximum size of a file'),
  json: { ...jsonReportOption, description: 'write the summary as JSON; -: to standard output; needs --out' },
};
type ImportFromSettings = SettingsOf<typeof importFromOptions>;

/** `triage-api import-from`: makes a tenant of the reports of scanners. */
export const importFromCommand = defineCommand({
  name: 'import-from',
  description: 'make a fixture file of the reports of scanners, such as npm audit, Dependabot or Trivy',
  argument: ['<file...>', 'reports, in any order and of any format; - reads standard input'],
  options: importFromOptions,
  examples: {
    'make a fixture file of what npm audit reports':
      'npm audit --json | triage-api import-from - --repo acme/web -o web.json',
    'combine the reports of several scanners':
      'triage-api import-from trivy.json npm-audit.json \\\n      --repo acme/api --repo acme/web -o both.json',
  },
  run: async ({ settings, terminal, words: files }) => {
    const { force, asOf } = settings;
    const out = await fileToWrite(settings.out);
    const errors = usageErrors(files, { ...settings, out });
    if (errors.length > 0) return fail(terminal, errors, exitCode.usage);
    if (out !== undefined && !force && (await exists(out))) return fail(terminal, [alreadyExists(out)]);

    const read = await readFiles(files, settings, terminal);
    if (E.isLeft(read)) return fail(terminal, [...read.left, 'nothing was imported']);
    const tenant = assembleTenant(read.right, {
      name: out === undefined ? 'imported' : basename(out, '.json'),
      asOf: asOf ?? timestampAt(Date.now()),
      file: out ?? null,
    });
    if (E.isLeft(tenant)) return fail(terminal, [...tenant.left.map(formatProblem), 'nothing was imported']);
    const { summary } = tenant.right;
    // A file of it would show a clean repository that nobody has scanned.
    if (summary.total.read > 0 && summary.total.findings === 0)
      return fail(terminal, [...summaryText(summary), 'nothing became a finding, and nothing was written']);
    return write(tenant.right, { ...settings, out }, terminal);
  },
});

/** The file that `--out` names: in a folder, `imported.json`. */
const fileToWrite = async (out: string | undefined): Promise<string | undefined> => {
  if (out === undefined) return undefined;
  const isFolder = await stat(out).then(
    (found) => found.isDirectory(),
    () => out.endsWith(sep),
  );
  return isFolder ? join(out, 'imported.json') : out;
};

/** What people call a file. */
const fileName = (file: string): string => (file === standardStream ? 'standard input' : file);

/**
 * The content of a file, or of standard input, of at most `maxSize` bytes. Reading stops where it becomes
 * longer. `left`: why it cannot be read.
 */
const readBounded = async (
  file: string,
  terminal: Terminal,
  maxSize: number,
): Promise<E.Either<string, Uint8Array>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const source: AsyncIterable<unknown> =
      file === standardStream ? terminal.input() : createReadStream(file);
    for await (const chunk of source) {
      if (!(chunk instanceof Uint8Array)) continue;
      size += chunk.length;
      if (size > maxSize)
        return E.left(`is larger than ${maxSize} bytes; --max-size allows more, up to 256mb`);
      chunks.push(chunk);
    }
    return E.right(Buffer.concat(chunks));
  } catch (error) {
    return E.left(`cannot be read: ${readErrorText(error)}`);
  }
};

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

const readErrorText = (error: unknown): string => reasons[errorCode(error)] ?? messageOf(error);

/** What is wrong with a command line, one line for each problem. */
const usageErrors = (
  files: readonly string[],
  { out, repo, json }: Pick<ImportFromSettings, 'out' | 'repo' | 'json'>,
): readonly string[] => [
  ...(out === undefined || (out.endsWith('.json') && !basename(out).startsWith('.'))
    ? []
    : [`${out}: the name must end in .json and must not start with a dot, or the file is not served`]),
  ...(repo.length <= files.length
    ? []
    : [`--repo was given ${repo.length} times for ${countOf(files.length, 'file')}`]),
  ...(json === standardStream && out === undefined
    ? ['--json - needs --out, because both would be written to standard output']
    : []),
  ...(isSameFile(out, json) ? ['--out and --json must name different files'] : []),
  ...files
    .filter((file, index) => files.findIndex((other) => isSameFile(other, file)) < index)
    .map((file) => `${file} was given twice`),
  ...[out, json]
    .filter((output) => output !== standardStream && files.some((file) => isSameFile(file, output)))
    .map((output) => `${output} cannot be read and written at once`),
];

const isSameFile = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  (a === b || (a !== standardStream && b !== standardStream && resolve(a) === resolve(b)));

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
  const text = isSparse ? jsonWithRows(sparse) : fixtureText(complete);
  const summaryJson = jsonReport(ImportSummary.encode(summary));
  const files = [
    ...(out === undefined ? [] : [{ file: out, content: text }]),
    ...(json === undefined || json === standardStream ? [] : [{ file: json, content: `${summaryJson}\n` }]),
  ];
  for (const { file, content } of files) {
    const failure = await writeFileInDirectory(file, content);
    if (failure !== null) return fail(terminal, [failure]);
  }
  if (json === standardStream) {
    terminal.text(summaryJson);
    return exitCode.done;
  }
  for (const line of summaryText(summary)) terminal.err(line);
  if (out === undefined) terminal.text(text.trimEnd());
  const print = out === undefined ? terminal.err : terminal.out;
  print(fixtureSummary(out ?? 'standard output', complete, countsOf(complete)));
  const { email, password, session, token } = summary.tenant;
  print(`e-mail address: ${email}, password: ${password}`);
  print(`session cookie: ${session}, bearer token: ${token}`);
  return exitCode.done;
};
