import type { Log } from '../common/log.js';
import {
  type Call,
  type Context,
  Identity,
  type IdentityDependencies,
  type Layer,
  type Present,
  type Serve,
} from './call.js';
import { failureResponse, unexpectedFailure } from './failures.js';
import type { ServiceRequest } from './request.js';
import {
  type Answer,
  type Outcome,
  type PageKind,
  type SendingEnd,
  type Sent,
  withHeaders,
} from './response.js';
import { type Match, methodsOf, type RouteTable, unroutedResponse } from './routes.js';

/** Told when a request begins; the returned function is told of its end. */
export type Observe = () => (call: Call, outcome: Outcome<Sent>) => void;

/** What a service is made of. It knows nothing of what its rows and layers do. */
export type ServiceParts = Readonly<{
  table: RouteTable;
  /** What stands around all rows, the outermost first. */
  layers: readonly Layer[];
  present: Present;
  /** What rows get unless a layer gives them another one. */
  context: Context;
  identities: IdentityDependencies;
  send: (request: ServiceRequest, answer: Answer) => Sent | Promise<Sent>;
  /** Null, the default: nobody observes. */
  observe?: Observe | null;
  /** Told when nothing more is sent, and how many bytes of a body were. Null, the default: nobody is. */
  onEnd?: ((request: ServiceRequest, sent: Outcome<Sent>, end: SendingEnd, length: number) => void) | null;
  log: Log;
}>;

/** The whole service, whatever door its requests come through. */
export type Service = ReturnType<typeof createService>;

/** Which headers an answer has that is of no row. */
const kindOf = (path: string): PageKind => (path.startsWith('/api/') ? 'otherApiPath' : 'page');

/** Shows failures as JSON. */
export const presentAsJson: Present = async (failure, { path }) => ({
  ...failureResponse(failure),
  kind: failure._tag === 'Unexpected' ? 'malformed' : kindOf(path),
});

/** Puts a service together: the life of every request. */
export const createService = (parts: ServiceParts) => {
  const { table, layers, present, context, identities, send, observe, onEnd = null, log } = parts;

  /** Answers what no row takes (contract, section 7). */
  const unrouted = async (request: ServiceRequest): Promise<Answer> => {
    const { method, path } = request;
    const rows = table.at(path, request);
    const methods = methodsOf(rows);
    const { headers = {}, ...response } = unroutedResponse(method, methods);
    const ofRow = rows[0]?.kind ?? 'operation';
    const kind = ofRow === 'operation' ? kindOf(path) : ofRow;
    if (response.body === undefined) return { ...response, headers, kind };
    const _tag = methods.length === 0 ? 'NotFound' : 'MethodNotAllowed';
    return withHeaders(await present({ _tag }, request, methods), headers);
  };

  /** Answers what failed in a way that nobody expected. */
  const fail = async (request: ServiceRequest, row: Call['row'], cause: unknown): Promise<Answer> => {
    const failure = unexpectedFailure(log, request, cause);
    return row === null || row.operation === null
      ? present(failure, request)
      : { kind: 'operation', ...failureResponse(failure) };
  };

  /** What a row throws is caught inside of the layers, which get an answer to it, too. */
  const answerRow: Serve = async (call) => {
    const { request, row } = call;
    try {
      return await (row === null ? unrouted(request) : row.answer(call));
    } catch (cause) {
      return fail(request, row, cause);
    }
  };

  const answer = layers.reduceRight<Serve>((next, layer) => layer(next), answerRow);

  /** The life of every request. `candidate`: the row that its door has found; null: none. */
  const serve = async (candidate: Match | null, request: ServiceRequest): Promise<Outcome<Sent>> => {
    const end = observe?.();
    const match = candidate?.row.isFor(request) === true ? candidate : null;
    const { row = null, params = {} } = match ?? {};
    if (row !== null && request.refused === null) request.notes.operation = row.name;
    const identity = new Identity(request, row?.accepts ?? ['session', 'bearer'], identities);
    const call: Call = { request, row, params, identity, context };
    let outcome: Outcome<Sent>;
    try {
      const result = await answer(call);
      const sent = typeof result === 'string' ? result : send(request, result);
      // Few have to wait for a compressed body.
      outcome = sent instanceof Promise ? await sent : sent;
    } catch (cause) {
      outcome = await send(request, await fail(request, row, cause));
    }
    end?.(call, outcome);
    return outcome;
  };

  /** Answers what failed in its door, before the service had it or after. */
  const failInDoor = async (request: ServiceRequest, cause: unknown): Promise<Sent> =>
    send(request, await fail(request, null, cause));

  return { rows: table.rows, find: table.find, serve, failInDoor, onEnd };
};
