import { createContext, Script } from 'node:vm';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { HttpRequest, HttpResponse, NoResponse, Send } from '../../src/client/http.js';
import { parseJson } from '../../src/common/parse-json.js';
import { now, tenants } from './small-server-data.js';

/** How many milliseconds a server may take to answer; long enough for a busy machine. */
const defaultTimeLimit = 5000;

const Answered = t.type({ status: t.number, headers: t.record(t.string, t.string), text: t.string });

const data = JSON.stringify({ tenants, now });
const request = new Script('JSON.stringify(answer(JSON.parse(request)))');

/**
 * Starts a server from the compiled text of `small-server.ts`, which may be broken, in a context of its own.
 * Requests and responses are passed as JSON, as they would be over the network. `null`: it throws when it starts.
 * A server that does not answer within `timeLimit` milliseconds never answers again.
 */
export const sandboxedServer = (text: string, timeLimit = defaultTimeLimit): Send | null => {
  const script = text.replaceAll(/^export (?=const )/gm, '').replace(/^export \{\};$/m, '');
  const context = createContext({ URLSearchParams, data, request: '' });
  try {
    new Script(
      `${script}\nconst { tenants, now } = JSON.parse(data);\nconst answer = smallServer(tenants, now);`,
    ).runInContext(context, { timeout: timeLimit });
  } catch {
    return null;
  }
  let isStuck = false;
  return (sent) => async () => {
    if (isStuck) return noAnswer;
    context.request = JSON.stringify(withLowerCaseNames(sent));
    const answered = run(() => request.runInContext(context, { timeout: timeLimit }));
    isStuck = answered === 'too late';
    return answered === 'too late' ? noAnswer : E.right(answered);
  };
};

const noAnswer = E.left<NoResponse>({ _tag: 'Unreachable', reason: 'the server does not answer' });

const withLowerCaseNames = ({ headers, ...rest }: HttpRequest): HttpRequest => ({
  ...rest,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
});

/** The response if the server throws or returns no response: HTTP frameworks answer 500 then. */
const fault: HttpResponse = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  text: '{"error":"Internal server error"}',
};

const run = (answer: () => unknown): HttpResponse | 'too late' => {
  try {
    const text = answer();
    const value: unknown = typeof text === 'string' ? parseJson(text) : undefined;
    return Answered.is(value) ? value : fault;
  } catch (cause) {
    return isTimeout(cause) ? 'too late' : fault;
  }
};

const isTimeout = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
