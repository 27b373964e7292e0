import * as t from 'io-ts';
import { readText } from '../../client/read-text.js';
import { optional } from '../../codecs/optional.js';
import { parseJson } from '../../common/parse-json.js';
import { Unready } from '../../http/health.js';
import { defineCommand } from '../define-command.js';
import { BaseUrl } from '../settings/address-codecs.js';
import { type OptionTexts, settingsReader } from '../settings/options.js';
import { Port, RequestTimeout, Switch } from '../settings/setting-codecs.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';

const HealthcheckSettings = t.strict(
  { url: optional(BaseUrl), port: Port, timeout: RequestTimeout, live: Switch },
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
    variable: 'PORT',
    fallback: '4000',
    description: 'port of the server on this machine',
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
    negatable: true,
    description: 'check only whether the process responds, not whether its database does',
  },
};

/** A server that is not ours may answer anything. */
const maxReasonLength = 16 * 1024;

const healthcheck = async (
  { url, port, timeout, live }: HealthcheckSettings,
  terminal: Terminal,
): Promise<ExitCode> => {
  const [path, word] = live ? (['/healthz', 'alive'] as const) : (['/readyz', 'ready'] as const);
  const target = new URL(path, url ?? `http://127.0.0.1:${port}`);
  try {
    const response = await fetch(target, { signal: AbortSignal.timeout(timeout), redirect: 'manual' });
    if (response.status === 200) {
      terminal.out(word);
      return exitCode.done;
    }
    const reason = reasonIn((await readText(response, maxReasonLength)) ?? '');
    terminal.err(`not ${word}: ${target.href} answered ${response.status}${reason && `: ${reason}`}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    terminal.err(
      `not ${word}: ${target.href}: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`,
    );
  }
  return exitCode.failed;
};

/** The reason that an unready server gives; empty if there is none that we know. */
const reasonIn = (body: string): string => {
  const parsed = parseJson(body);
  return Unready.is(parsed) ? parsed.reason : '';
};

/**
 * `triage-api healthcheck`: whether a server is ready, for containers that have no HTTP client of their own.
 */
export const healthcheckCommand = defineCommand({
  name: 'healthcheck',
  description: 'check whether a server is ready or, with --live, alive: exit code 0 if it is, else 1',
  options: healthcheckOptions,
  readSettings: settingsReader(HealthcheckSettings, healthcheckOptions),
  run: healthcheck,
});
