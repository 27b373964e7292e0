import * as t from 'io-ts';
import { optional } from '../../codecs/optional.js';
import { defineCommand } from '../define-command.js';
import { type OptionTexts, settingsReader } from '../settings/options.js';
import { BaseUrl, Port, RequestTimeout } from '../settings/setting-codecs.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';

const HealthcheckSettings = t.strict(
  { url: optional(BaseUrl), port: Port, timeout: RequestTimeout },
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
};

const healthcheck = async (
  { url, port, timeout }: HealthcheckSettings,
  terminal: Terminal,
): Promise<ExitCode> => {
  const target = new URL('/readyz', url ?? `http://127.0.0.1:${port}`);
  try {
    const { status } = await fetch(target, { signal: AbortSignal.timeout(timeout), redirect: 'manual' });
    if (status === 200) {
      terminal.out('ready');
      return exitCode.done;
    }
    terminal.err(`not ready: ${target.href} answered ${status}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    terminal.err(
      `not ready: ${target.href}: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`,
    );
  }
  return exitCode.failed;
};

/**
 * `triage-api healthcheck`: whether a server is ready, for containers that have no HTTP client of their own.
 */
export const healthcheckCommand = defineCommand({
  name: 'healthcheck',
  description: 'check whether a server is ready: exit code 0 if it is, else 1',
  options: healthcheckOptions,
  readSettings: settingsReader(HealthcheckSettings, healthcheckOptions),
  run: healthcheck,
});
