import * as t from 'io-ts';
import { parseJson } from '../../common/json.js';
import { optional } from '../../contract/codecs/combinators.js';
import { defineCommand } from '../define-command.js';
import { BaseUrl } from '../settings/address-codecs.js';
import type { OptionTexts } from '../settings/options.js';
import { Port, RequestTimeout, Switch } from '../settings/setting-codecs.js';
import { settingsReader } from '../settings/settings-reader.js';
import { type ExitCode, exitCode, type Terminal } from '../terminal/terminal.js';
import { getText } from './get-text.js';

const HealthcheckSettings = t.strict(
  { url: optional(BaseUrl), port: Port, https: Switch, timeout: RequestTimeout, live: Switch },
  'HealthcheckSettings',
);
type HealthcheckSettings = t.TypeOf<typeof HealthcheckSettings>;

export const healthcheckOptions: OptionTexts<keyof HealthcheckSettings> = {
  url: {
    flags: '--url <url>',
    variable: 'TRIAGE_URL',
    description: 'base URL of the server; left out: the server on this machine',
  },
  port: {
    flags: '-p, --port <port>',
    variable: 'TRIAGE_PORT',
    generic: { variable: 'PORT', accepts: Port },
    fallback: '4000',
    description: 'port of the server on this machine',
  },
  https: {
    flags: '--https',
    variable: 'TRIAGE_HTTPS',
    fallback: false,
    negatable: 'ask the server on this machine over http',
    description: 'ask the server on this machine over https, whatever its certificate; no effect with --url',
  },
  timeout: {
    flags: '--timeout <ms>',
    variable: 'TRIAGE_TIMEOUT',
    fallback: '3000',
    description: 'milliseconds to wait for a response',
  },
  live: {
    flags: '--live',
    variable: 'TRIAGE_LIVE',
    fallback: false,
    negatable: 'check whether the server is ready, including its database',
    description: 'check only whether the process responds, not whether its database does',
  },
};

/** A server that is not ours may answer anything. */
const maxReasonLength = 16 * 1024;

/** Asks the server once, and prints the answer. */
export const healthcheck = async (
  { url, port, https, timeout, live }: HealthcheckSettings,
  terminal: Terminal,
): Promise<ExitCode> => {
  const [path, word] = live ? (['/healthz', 'alive'] as const) : (['/readyz', 'ready'] as const);
  const target = new URL(path, url ?? `${https ? 'https' : 'http'}://127.0.0.1:${port}`);
  try {
    const { status, text } = await getText(target, {
      timeout,
      maxLength: maxReasonLength,
      // Nobody stands between this process and its own machine, and the certificate may be for another name.
      trustAny: url === undefined,
    });
    if (status === 200) {
      terminal.out(word);
      return exitCode.done;
    }
    const reason = await reasonIn(text);
    terminal.err(`not ${word}: ${target.href} answered ${status}${reason && `: ${reason}`}`);
  } catch (error) {
    terminal.err(`not ${word}: ${target.href}: ${messageOf(error)}`);
  }
  return exitCode.failed;
};

/** What is wrong; for a host with several addresses, what is wrong with the last one that was tried. */
const messageOf = (error: unknown): string => {
  const cause: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
};

/**
 * The reason that an unready server gives; empty if there is none that we know. A check that succeeds does
 * not load what knows the reasons.
 */
const reasonIn = async (body: string): Promise<string> => {
  const { Unready } = await import('../../http/health.js');
  const parsed = parseJson(body);
  return Unready.is(parsed) ? parsed.reason : '';
};

export const readHealthcheckSettings = settingsReader(HealthcheckSettings, healthcheckOptions);

/**
 * `triage-api healthcheck`: whether a server is ready, for containers that have no HTTP client of their own.
 */
export const healthcheckCommand = defineCommand({
  name: 'healthcheck',
  description: 'check whether a server is ready or, with --live, alive: exit code 0 if it is, else 1',
  options: healthcheckOptions,
  examples: [
    { does: 'check the server on this machine', command: 'triage-api healthcheck --port 4000' },
    {
      does: 'check whether the process of another server responds',
      command: 'triage-api healthcheck --url https://triage.example.com --live',
    },
  ],
  readSettings: readHealthcheckSettings,
  run: healthcheck,
});
