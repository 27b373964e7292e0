import * as E from '#fp-ts/Either';
import { fetchSend } from '../client/fetch-send.js';
import type { ThrottleOptions } from '../client/throttle.js';
import { isLoopback } from '../common/is-loopback.js';
import { escapeControlCharacters } from '../common/messages.js';
import { junitReport } from '../contract-tools/verify/junit-report.js';
import { isConforming, isUnanswered, VerifyReport } from '../contract-tools/verify/report.js';
import { textReport } from '../contract-tools/verify/text-report.js';
import { type Progress, verify } from '../contract-tools/verify/verify.js';
import { defineCommand } from './define-command.js';
import { jsonReport } from './output/text.js';
import { standardStream, writeFileAtomically } from './output/write-files.js';
import {
  BaseUrl,
  CredentialValue,
  integerBetween,
  NonEmptyString,
  Percentage,
  RequestsPerSecond,
  Seed,
} from './settings/codecs.js';
import { flag, required, type SettingsOf, value, valueOr } from './settings/option.js';
import { clientOptions, jsonReportOption, throttleOptions } from './settings/shared-options.js';
import { type ExitCode, exitCode, fail, type Terminal } from './terminal/terminal.js';

/** The number of requests per second to a server on another machine. */
const remoteRate = 20;

/** Seeds are below this number. */
const maxSeed = 2 ** 32;

/** How many requests may be under way at once. */
const Concurrency = integerBetween('a whole number from 1 to 64', 1, 64);

const secret = { isSecret: true };

const verifyOptions = {
  url: required('--url <url>', BaseUrl, 'base URL of the server, without /api/v1'),
  session: required('--session <value>', CredentialValue, 'session cookie', secret),
  token: required('--token <value>', CredentialValue, 'bearer token of the same user', secret),
  otherSession: value('--other-session <value>', CredentialValue, 'session of a second user', secret),
  otherToken: value('--other-token <value>', CredentialValue, 'bearer token of the second user', secret),
  expiredSession: value('--expired-session <value>', CredentialValue, 'expired session of any user', secret),
  expiredToken: value(
    '--expired-token <value>',
    CredentialValue,
    'expired or revoked token of any user',
    secret,
  ),
  json: jsonReportOption,
  junit: value('--junit <file>', NonEmptyString, 'the same as JUnit XML'),
  ...clientOptions,
  maxRequests: { ...clientOptions.maxRequests, default: '1000' },
  rate: value(
    '--rate <count>',
    RequestsPerSecond,
    `requests per second; default: ${remoteRate}, and any number to this machine`,
  ),
  concurrency: valueOr('--concurrency <count>', Concurrency, '4', 'requests under way at once'),
  seed: value('--seed <number>', Seed, 'chooses the pages that are looked at; default: random, printed'),
  allPages: flag('--all-pages', 'fetch all pages of large lists, not only some'),
  minExercised: valueOr(
    '--min-exercised <percentage>',
    Percentage,
    '90%',
    'exit code 1 if fewer statements are exercised',
  ),
  details: flag('--details', 'report every failure, not only what to fix first'),
};
type VerifySettings = SettingsOf<typeof verifyOptions>;

/** The throttling that the settings ask for: a server on this machine needs no limit on the rate. */
export const verifyThrottling = ({
  url,
  rate,
  maxRequests,
  concurrency,
}: Pick<VerifySettings, 'url' | 'rate' | 'maxRequests' | 'concurrency'>): ThrottleOptions => {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const perSecond = rate ?? (isLoopback(host) ? Number.POSITIVE_INFINITY : remoteRate);
  return { ...throttleOptions({ rate: perSecond, maxRequests }), concurrency };
};

/** Checks a server against the contract, and reports the results as text, JSON and JUnit XML. */
const verifyServer = async (settings: VerifySettings, terminal: Terminal): Promise<ExitCode> => {
  const { url, cookie, timeout, maxBody, json, junit, seed, allPages, minExercised, details } = settings;
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
  const lines = printed === undefined ? textReport(report, { details }) : [printed.text.trimEnd()];
  if (isUnanswered(report))
    terminal.err(escapeControlCharacters(`${report.url}: cannot be verified: ${report.stopped}`));
  else if (report.stopped !== null) terminal.err(`${report.url}: stopped: ${report.stopped}`);
  if (printed !== undefined || !isUnanswered(report)) for (const line of lines) terminal.out(line);

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
  examples: {
    'check the server on this machine':
      'triage-api verify --url http://127.0.0.1:4000 \\\n      --session acme-session --token acme-token',
    'write the report as JUnit XML, for a pipeline':
      'triage-api verify --url http://127.0.0.1:4000 --junit report.xml \\\n      --session acme-session --token acme-token',
  },
  run: verifyServer,
});
