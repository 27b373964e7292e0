import type { IncomingMessage } from 'node:http';
import { parseJson } from '../common/json.js';
import { defineCommand } from './define-command.js';
import { BaseUrl, Port, RequestTimeout } from './settings/codecs.js';
import { flag, value, valueOr } from './settings/option.js';
import { exitCode } from './terminal/terminal.js';

/** A server that is not ours may answer anything. */
const maxReasonLength = 16 * 1024;

/**
 * `triage-api healthcheck`: whether a server is ready, for containers that have no HTTP client of their own.
 * It asks once, and prints the answer.
 */
export const healthcheckCommand = defineCommand({
  name: 'healthcheck',
  description: 'check whether a server is ready or, with --live, alive',
  options: {
    url: value('--url <url>', BaseUrl, 'base URL of the server (default: this machine)'),
    port: valueOr('-p, --port <port>', Port, '4000', 'port of the server on this machine', {
      common: { variable: 'PORT', accepts: Port },
    }),
    https: flag('--https', 'ask this machine over https, whatever its certificate'),
    timeout: valueOr('--timeout <ms>', RequestTimeout, '3000', 'milliseconds to wait for a response'),
    live: flag('--live', 'check only whether the process responds, not its database'),
  },
  examples: {
    'check the server on this machine': 'triage-api healthcheck --port 4000',
    'check whether the process of another server responds':
      'triage-api healthcheck --url https://triage.example.com --live',
  },
  run: async ({ settings: { url, port, https, timeout, live }, terminal }) => {
    const [path, word] = live ? ['/healthz', 'alive'] : ['/readyz', 'ready'];
    const base = url ?? `${https ? 'https' : 'http'}://127.0.0.1:${port}`;
    const target = new URL(`${base.replace(/\/$/, '')}${path}`);
    try {
      // Nobody stands between this process and its own machine, and the certificate may be for another name.
      const { status, text } = await getText(target, { timeout, trustAny: url === undefined });
      if (status === 200) {
        terminal.out(word);
        return exitCode.done;
      }
      const reason = await reasonIn(text);
      terminal.err(`not ${word}: ${target.href} answered ${status}${reason && `: ${reason}`}`);
    } catch (error) {
      terminal.err(`not ${word}: ${target.href}: ${connectionError(error)}`);
    }
    return exitCode.failed;
  },
});

/** What is wrong; for a host with several addresses, what is wrong with the last one that was tried. */
const connectionError = (error: unknown): string => {
  const cause: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
};

/**
 * The reason that an unready server gives; empty if there is none that we know. A check that succeeds does
 * not load what knows the reasons.
 */
const reasonIn = async (body: string): Promise<string> => {
  const { Unready } = await import('../start/health.js');
  const parsed = parseJson(body);
  return Unready.is(parsed) ? parsed.reason : '';
};

/**
 * Sends a GET request and reads the response, but no more of a long one than a reason can have. Redirects are
 * not followed. Rejects if there is no response within `timeout` milliseconds. `trustAny`: over https, any
 * certificate will do. Unlike `fetch`, it loads little: containers start a process for it every few seconds.
 */
const getText = async (
  target: URL,
  { timeout, trustAny }: Readonly<{ timeout: number; trustAny: boolean }>,
): Promise<Readonly<{ status: number; text: string }>> => {
  const { get } = target.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const signal = AbortSignal.timeout(timeout);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(target, { agent: false, rejectUnauthorized: !trustAny, signal }, resolve).on('error', reject);
    });
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length >= maxReasonLength) break;
    }
    return { status: response.statusCode ?? 0, text };
  } catch (error) {
    throw signal.aborted ? new Error(`no response within ${timeout} ms`) : error;
  }
};
