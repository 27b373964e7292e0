import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { fetchSend } from '../client/fetch-send.js';
import { isLoopback } from '../common/is-loopback.js';
import { allChecks, checksNamed } from '../verify/checks/all-checks.js';
import { junitReport } from '../verify/junit-report.js';
import { isConforming, isUnanswered, VerifyReport } from '../verify/report.js';
import { githubAnnotations, sarifReport } from '../verify/sarif-report.js';
import { textReport } from '../verify/text-report.js';
import { type Progress, verify } from '../verify/verify.js';
import { defineCommand } from './define-command.js';
import { jsonReport } from './output/text.js';
import { printReport, standardStream } from './output/write-files.js';
import {
  CredentialValue,
  integerBetween,
  NonEmptyString,
  Percentage,
  RequestsPerSecond,
  Seed,
} from './settings/codecs.js';
import { flag, required, value, valueOr } from './settings/option.js';
import {
  clientOptions,
  credential,
  jsonReportOption,
  throttleOptions,
  urlOption,
  urlsWithPrefix,
} from './settings/shared-options.js';
import { exitCode, fail } from './terminal/terminal.js';

const remoteRate = 20;

/** What is printed. */
const ReportFormat = t.keyof({ text: null, sarif: null, github: null }, 'one of text, sarif, github');

const Concurrency = integerBetween('a whole number from 1 to 64', 1, 64);

/** `triage-api verify`: checks a server against the contract; reports as text, JSON and JUnit XML. */
export const verifyCommand = defineCommand({
  name: 'verify',
  description: 'check a server against the contract of the API v1, with safe requests only',
  options: {
    url: urlOption,
    session: required('--session <value>', CredentialValue, 'session cookie', { isSecret: true }),
    token: required('--token <value>', CredentialValue, 'bearer token of the same user', {
      isSecret: true,
    }),
    otherSession: credential('--other-session', 'session of a second user'),
    otherToken: credential('--other-token', 'bearer token of the second user'),
    expiredSession: credential('--expired-session', 'expired session of any user'),
    expiredToken: credential('--expired-token', 'expired or revoked token of any user'),
    json: jsonReportOption,
    junit: value('--junit <file>', NonEmptyString, 'the same as JUnit XML'),
    format: valueOr(
      '--format <name>',
      ReportFormat,
      'text',
      'what is printed: text, sarif, or github for annotations',
    ),
    only: value('--only <id>', NonEmptyString, 'run this check alone, or those whose ids begin with it'),
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
    details: flag('--details', 'report every failure, not only an example of each mistake'),
  },
  examples: {
    'check the server on this machine':
      'triage-api verify --url http://127.0.0.1:4000 \\\n      --session acme-session --token acme-token',
    'write the report as JUnit XML, for a pipeline':
      'triage-api verify --url http://127.0.0.1:4000 --junit report.xml \\\n      --session acme-session --token acme-token',
  },
  conflicts: ({ settings: { url, json, junit, only } }) => [
    ...urlsWithPrefix({ '--url': url }),
    ...(only !== undefined && checksNamed(only).length === 0
      ? [`--only: there is no check ${only}; --details lists those that failed, and --json all`]
      : []),
    ...(json === standardStream && junit === standardStream
      ? ['pass either --json - or --junit -, not both']
      : []),
  ],
  run: async ({ settings, terminal }) => {
    const { url, cookie, timeout, maxBody, json, junit, format } = settings;
    const { seed, allPages, only, minExercised, details } = settings;
    const verified = await verify({
      url,
      cookieName: cookie,
      secrets: settings,
      sampling: { seed: seed ?? Math.floor(Math.random() * 2 ** 32), allPages },
      checks: only === undefined ? allChecks : checksNamed(only),
      minExercised,
      send: fetchSend({ baseUrl: url, timeout, maxBody }),
      throttling: verifyThrottling(settings),
      wallClock: () => Date.now(),
      onProgress: (progress, requests) => terminal.progress(progressLine(progress, requests)),
    });
    terminal.progress('');
    if (E.isLeft(verified)) return fail(terminal, verified.left, exitCode.usage);
    const report = verified.right;
    const { stopped } = report;
    if (stopped !== null)
      terminal.err(`${report.url}: ${isUnanswered(report) ? 'cannot be verified' : 'stopped'}: ${stopped}`);
    const text = textReport(report, { details });
    const lines = format === 'github' ? [...githubAnnotations(report), ...text] : text;
    const code = await printReport(terminal, isUnanswered(report) ? [] : lines, [
      ...(format === 'sarif' ? [{ file: standardStream, text: sarifReport(report) }] : []),
      { file: json, text: `${jsonReport(VerifyReport.encode(report))}\n` },
      { file: junit, text: junitReport(report) },
    ]);
    return isConforming(report) ? code : exitCode.failed;
  },
});

/** The throttling that the settings ask for: a server on this machine needs no limit on the rate. */
export const verifyThrottling = ({
  url,
  rate,
  maxRequests,
  concurrency,
}: Readonly<{ url: string; rate: number | undefined; maxRequests: number; concurrency: number }>) => {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const perSecond = rate ?? (isLoopback(host) ? Number.POSITIVE_INFINITY : remoteRate);
  return { ...throttleOptions({ rate: perSecond, maxRequests }), concurrency };
};

/** Such as "34 checks left, 120 requests sent: findings.page". */
const progressLine = ({ stage, left, check }: Progress, requests: number): string => {
  const what = stage === 'checking' ? 'checks' : 'violations to confirm';
  return `${left} ${what} left, ${requests} requests sent: ${check.id}`;
};
