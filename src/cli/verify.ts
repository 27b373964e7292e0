import * as E from '#fp-ts/Either';
import { fetchSend } from '../client/fetch-send.js';
import { escapeControlCharacters } from '../common/messages.js';
import { junitReport } from '../contract-tools/verify/junit-report.js';
import { isConforming, VerifyReport } from '../contract-tools/verify/report.js';
import { textReport } from '../contract-tools/verify/text-report.js';
import { type Progress, verify } from '../contract-tools/verify/verify.js';
import { defineCommand } from './define-command.js';
import { jsonReport } from './output/text.js';
import { standardStream, writeFileAtomically } from './output/write-files.js';
import { settingsReader } from './settings/settings-reader.js';
import { type ExitCode, exitCode, fail, type Terminal } from './terminal/terminal.js';
import { maxSeed, VerifySettings, verifyOptions, verifyThrottling } from './verify/verify-settings.js';

/** Checks a server against the contract, and reports the results as text, JSON and JUnit XML. */
const verifyServer = async (settings: VerifySettings, terminal: Terminal): Promise<ExitCode> => {
  const { url, cookie, timeout, maxBody, json, junit, seed, allPages, minExercised } = settings;
  if (json === standardStream && junit === standardStream) {
    return fail(terminal, ['pass either --json - or --junit -, not both'], exitCode.usage);
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
    return fail(terminal, verified.left.map(escapeControlCharacters), exitCode.usage);
  }
  const report = verified.right;

  const files = [
    { file: json, text: `${jsonReport(VerifyReport.encode(report))}\n` },
    { file: junit, text: junitReport(report) },
  ];
  const printed = files.find(({ file }) => file === standardStream);
  for (const line of printed === undefined ? textReport(report) : [printed.text.trimEnd()])
    terminal.out(line);
  if (report.stopped !== null) terminal.err(`${report.url}: stopped: ${report.stopped}`);

  let code: ExitCode = isConforming(report) ? exitCode.done : exitCode.failed;
  for (const { file, text } of files) {
    if (file === undefined || file === standardStream) continue;
    const failure = await writeFileAtomically(file, text);
    if (failure !== null) code = fail(terminal, [failure]);
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
