import * as E from '#fp-ts/Either';
import { fetchSend } from '../../client/fetch-send.js';
import { escapeControlCharacters } from '../../common/messages.js';
import { junitReport } from '../../contract-tools/verify/junit-report.js';
import { isConforming, isUnanswered, VerifyReport } from '../../contract-tools/verify/report.js';
import { textReport } from '../../contract-tools/verify/text-report.js';
import { type Progress, verify } from '../../contract-tools/verify/verify.js';
import { defineCommand } from '../define-command.js';
import { jsonReport } from '../output/json-report.js';
import { writeFileAtomically } from '../output/write-file-atomically.js';
import { settingsReader } from '../settings/settings-reader.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { maxSeed, VerifySettings, verifyOptions, verifyThrottling } from './verify-settings.js';

/** The file name that means standard output. */
const standardOutput = '-';

/** Checks a server against the contract, and reports the results as text, JSON and JUnit XML. */
const verifyServer = async (settings: VerifySettings, terminal: Terminal): Promise<ExitCode> => {
  const { url, cookie, timeout, maxBody, json, junit, seed, allPages, minExercised, details } = settings;
  if (json === standardOutput && junit === standardOutput) {
    terminal.err('pass either --json - or --junit -, not both');
    return exitCode.usage;
  }
  const verified = await verify(
    {
      send: fetchSend({ baseUrl: url, timeout, maxBody }),
      throttling: verifyThrottling(settings),
      wallClock: () => Date.now(),
      onProgress: (progress, requests) => terminal.progress(progressLine(progress, requests)),
    },
    { url, cookieName: cookie, secrets: settings },
    {
      sampling: { seed: seed ?? Math.floor(Math.random() * maxSeed), allPages },
      minExercised,
    },
  );
  terminal.progress('');
  if (E.isLeft(verified)) {
    for (const line of verified.left) terminal.err(escapeControlCharacters(line));
    return exitCode.usage;
  }
  const report = verified.right;

  const files = [
    { file: json, text: `${jsonReport(VerifyReport.encode(report))}\n` },
    { file: junit, text: junitReport(report) },
  ];
  const printed = files.find(({ file }) => file === standardOutput);
  const lines = printed === undefined ? textReport(report, { details }) : [printed.text.trimEnd()];
  if (isUnanswered(report))
    terminal.err(escapeControlCharacters(`${report.url}: cannot be verified: ${report.stopped}`));
  else if (report.stopped !== null) terminal.err(`${report.url}: stopped: ${report.stopped}`);
  if (printed !== undefined || !isUnanswered(report)) for (const line of lines) terminal.out(line);

  let code: ExitCode = isConforming(report) ? exitCode.done : exitCode.failed;
  for (const { file, text } of files) {
    if (file === undefined || file === standardOutput) continue;
    const written = await writeFileAtomically(file, text)();
    if (E.isRight(written)) continue;
    terminal.err(written.left);
    code = exitCode.failed;
  }
  return code;
};

/** Such as "34 checks left, 120 requests sent: findings.page". */
const progressLine = ({ stage, left, check }: Progress, requests: number): string => {
  const what = stage === 'checking' ? 'checks' : 'violations to confirm';
  return `${left} ${what} left, ${requests} requests sent: ${check.id}`;
};

/** `triage-api verify`. */
export const verifyCommand = defineCommand({
  name: 'verify',
  description: 'check a server against the contract of the API v1, with safe requests only',
  options: verifyOptions,
  examples: [
    {
      does: 'check the server on this machine',
      command:
        'triage-api verify --url http://127.0.0.1:4000 \\\n      --session acme-session --token acme-token',
    },
    {
      does: 'write the report as JUnit XML, for a pipeline',
      command:
        'triage-api verify --url http://127.0.0.1:4000 --junit report.xml \\\n      --session acme-session --token acme-token',
    },
  ],
  readSettings: settingsReader(VerifySettings, verifyOptions),
  run: verifyServer,
});
