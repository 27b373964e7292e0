import * as t from 'io-ts';
import { type ExitCode, exitCode } from './exit-code.js';
import type { OptionTexts } from './options.js';
import { BaseUrl, Patience } from './setting-codecs.js';
import type { Terminal } from './terminal.js';

/** The settings of `healthcheck`. */
export const HealthcheckSettings = t.strict({ url: BaseUrl, timeout: Patience }, 'HealthcheckSettings');
export type HealthcheckSettings = t.TypeOf<typeof HealthcheckSettings>;

/** How they are given. */
export const healthcheckOptions: OptionTexts<keyof HealthcheckSettings> = {
  url: {
    flags: '--url <url>',
    variable: 'TRIAGE_URL',
    fallback: 'http://127.0.0.1:4000',
    description: 'the server to ask',
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
  { url, timeout }: HealthcheckSettings,
  terminal: Terminal,
): Promise<ExitCode> => {
  const target = new URL('/readyz', url);
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
