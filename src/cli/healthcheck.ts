import * as t from 'io-ts';
import { optional } from '../codecs/optional.js';
import { baseUrl } from './base-url.js';
import { type ExitCode, exitCode } from './exit-code.js';
import type { OptionTexts } from './options.js';
import { BaseUrl, Port, RequestTimeout } from './setting-codecs.js';
import type { Terminal } from './terminal.js';

/** The settings of `healthcheck`. */
export const HealthcheckSettings = t.strict(
  { url: optional(BaseUrl), port: Port, timeout: RequestTimeout },
  'HealthcheckSettings',
);
export type HealthcheckSettings = t.TypeOf<typeof HealthcheckSettings>;

/** How they are given. */
export const healthcheckOptions: OptionTexts<keyof HealthcheckSettings> = {
  url: {
    flags: '--url <url>',
    variable: 'TRIAGE_URL',
    description: 'the server to ask; without it, the one on this machine',
  },
  port: {
    flags: '-p, --port <port>',
    variable: 'PORT',
    fallback: '4000',
    description: 'the port of the server on this machine, as serve takes it',
  },
  timeout: {
    flags: '--timeout <ms>',
    variable: 'TRIAGE_TIMEOUT',
    fallback: '3000',
    description: 'how long to wait for its answer',
  },
};

/** `triage-api healthcheck`: whether a server is ready, for who has a process to start and no HTTP client: a container. */
export const healthcheck = async (
  { url, port, timeout }: HealthcheckSettings,
  terminal: Terminal,
): Promise<ExitCode> => {
  const target = new URL('/readyz', url ?? baseUrl('127.0.0.1', port));
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
