import * as E from '#fp-ts/Either';
import type { Call, Layer } from '../../api/call.js';
import { readCredentials } from '../../api/credentials.js';
import { Content, jsonType } from '../../api/rendered.js';
import { type ServiceRequest, simulatedHeader } from '../../api/request.js';
import type { Answer } from '../../api/response.js';
import { isJsonEqual, parseJson } from '../../common/json.js';
import type { AnyOperation } from '../../contract/operations.js';
import { purposeBody } from '../simulated-body.js';
import { isOperationId, type OperationId } from '../states/state.js';
import { type Lie, lies, liesNamed } from './index.js';
import type { LieContext, PlainAnswer } from './lie.js';

/** The bodies that each operation has sent last, by tenant. */
type Sent = Map<string, Map<OperationId, unknown>>;

/** A request with another query. The one of a server cannot be copied: it reads its connection on demand. */
const withQuery = (request: ServiceRequest, querystring: string): ServiceRequest => {
  const own = { querystring, notes: { ...request.notes } };
  return new Proxy(request, {
    get: (target, name) => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
  });
};

const contextOf = (call: Call, sent: Sent): LieContext => {
  const { request, row, params } = call;
  const query = new URLSearchParams(request.querystring);
  const { sessionValue, bearerToken } = readCredentials(request.headers, ['session', 'bearer']);
  return {
    query,
    id: params.id,
    isByToken: sessionValue === null && bearerToken !== null,
    // The row itself is asked: what is simulated is about the one request that was sent.
    ask: async (parameters) => {
      const other = new URLSearchParams(query);
      for (const [name, value] of Object.entries(parameters))
        if (value === null) other.delete(name);
        else other.set(name, value);
      const answer = await row?.answer({ ...call, request: withQuery(request, other.toString()) });
      return typeof answer === 'object' && answer.status === 200
        ? parseJson(answer.body?.decoded ?? '')
        : undefined;
    },
    toOthers: (operation) =>
      Array.from(sent).flatMap(([tenant, bodies]) =>
        tenant === request.notes.tenantId || !bodies.has(operation) ? [] : [bodies.get(operation)],
      ),
  };
};

/** The answer that tells a lie; null: this exchange cannot. */
const wrongAnswer = async (
  lie: Lie,
  right: PlainAnswer,
  context: LieContext,
): Promise<PlainAnswer | null> => {
  const wrong = await lie.change(right, context);
  return wrong === null || isJsonEqual(wrong, right) ? null : wrong;
};

const answerOf = (
  { status, headers, body, html }: PlainAnswer,
  { id }: Lie,
  { notes }: ServiceRequest,
): Answer => {
  notes.simulated = [...(notes.simulated === undefined ? [] : [notes.simulated]), `lie=${id}`].join(', ');
  const content =
    html === undefined
      ? new Content(jsonType, JSON.stringify(body))
      : new Content('text/html; charset=utf-8', html);
  return {
    kind: 'onPurpose',
    status,
    headers: { ...headers, [simulatedHeader]: notes.simulated },
    body: purposeBody(content, null),
  };
};

/**
 * Answers as the lie says, or with null as usual, and notes a line for each operation and status that was
 * answered, for each lie that could have been told, or for the one that was. Each is noted once.
 */
export const tellLies = (lie: Lie | null, note: (line: string) => void): Layer => {
  const lines = new Set<string>();
  const noteOnce = (line: string): void => {
    if (lines.has(line)) return;
    lines.add(line);
    note(`${line}\n`);
  };
  const sent: Sent = new Map();
  const remember = ({ tenantId = '' }: ServiceRequest['notes'], id: OperationId, body: unknown): void => {
    const bodies = sent.get(tenantId) ?? new Map<OperationId, unknown>();
    sent.set(tenantId, bodies.set(id, body));
  };
  /** What is sent in place of the right answer; null: that one. */
  const wrong = async (call: Call, { id }: AnyOperation, answer: Answer): Promise<Answer | null> => {
    const { request } = call;
    const { status, headers = {}, body: content } = answer;
    if (!isOperationId(id) || content === undefined) return null;
    noteOnce(`answered ${id} ${status}`);
    const right: PlainAnswer = { status, headers, body: parseJson(content.decoded) };
    if (right.body === undefined) return null;
    const context = contextOf(call, sent);
    for (const each of lie === null ? lies : [lie]) {
      if (each.operation !== id || each.status !== status || lines.has(`can ${each.id}`)) continue;
      const lying = await wrongAnswer(each, right, context);
      if (lying === null) continue;
      noteOnce(`${lie === null ? 'can' : 'told'} ${each.id}`);
      if (lie !== null) return answerOf(lying, lie, request);
    }
    if (status === 200) remember(request.notes, id, right.body);
    return null;
  };
  return (next) => async (call) => {
    const outcome = await next(call);
    const operation = call.row?.operation ?? null;
    // What is broken on its way, or a preferred state, is wrong on purpose already.
    if (operation === null || typeof outcome === 'string' || outcome.pace !== undefined) return outcome;
    return (await wrong(call, operation, outcome)) ?? outcome;
  };
};

/** The same with the lie of this id; empty: none. `left`: there is none. */
export const lyingLayer = (id: string, note: (line: string) => void): E.Either<string, Layer> =>
  id === ''
    ? E.right(tellLies(null, note))
    : E.map(([lie]: readonly [Lie, ...Lie[]]) => tellLies(lie, note))(liesNamed(id));
