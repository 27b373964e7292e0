import type { IncomingMessage } from 'node:http';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { parseJson } from '../common/json.js';
import { type CliCommand, type CommandContext, defineCommand } from './define-command.js';
import { BaseUrl, Port, RequestTimeout } from './settings/codecs.js';
import { flag, keyOf, longFlag, type Option, value, valueOr } from './settings/option.js';
import type { ParsedOptions } from './settings/read-settings.js';
import { type ExitCode, escapingTerminal, exitCode } from './terminal/terminal.js';

/** A server that is not ours may answer anything. */
const maxReasonLength = 16 * 1024;

/**
 * `triage-api healthcheck`: whether a server is ready, for containers that have no HTTP client of their own.
 * It asks once, and prints the answer.
 */
export const healthcheckCommand: CliCommand = defineCommand({
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
  const { Unready } = await import('../service/health.js');
  const parsed = parseJson(body);
  return Unready.is(parsed) ? parsed.reason : '';
};

/**
 * Runs `healthcheck` without the rest of the program, which would take most of the time. It does not warn
 * about variables that no command reads: the server says so once, and a container is checked all the time.
 * Null: the program has to say something about the command line.
 */
export const runHealthcheck = async (
  words: readonly string[],
  context: CommandContext,
): Promise<ExitCode | null> => {
  const parsed = parsePlainly(words, Object.values(healthcheckCommand.options));
  if (parsed === null) return null;
  return healthcheckCommand.start(parsed, [], { ...context, terminal: escapingTerminal(context.terminal) });
};

/**
 * Parses options without commander, which takes as long to load as all the rest of a small command. Null for
 * a command line that is not plainly valid, such as one that asks for help: commander says what there is to
 * say about it.
 */
export const parsePlainly = (words: readonly string[], options: readonly Option[]): ParsedOptions | null => {
  try {
    const { values } = parseArgs({ args: [...words], options: Object.fromEntries(options.map(configOf)) });
    const given = new Map(
      Object.entries(values).map(([name, value]) => [keyOf({ flags: `--${name}` }), value]),
    );
    // Commander makes another option of it: `config` without a value.
    if (Array.from(given.keys()).some((key) => /^no[A-Z]/.test(key))) return null;
    return {
      getOptionValue: (key) => given.get(key),
      getOptionValueSource: (key) => (given.has(key) ? 'cli' : undefined),
    };
  } catch {
    return null;
  }
};

/** An option as `parseArgs` takes it. */
const configOf = ({ flags }: Option): readonly [string, NonNullable<ParseArgsConfig['options']>[string]] => {
  const [, short] = /^-(\w), /.exec(flags) ?? [];
  const type = flags.includes('<') ? 'string' : 'boolean';
  return [longFlag({ flags }).slice(2), short === undefined ? { type } : { type, short }];
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
