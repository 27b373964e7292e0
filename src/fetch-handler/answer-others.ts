import type { Clock } from '../common/clock.js';
import { apiHeaders, uncachedHeaders } from '../protocol/cache-headers.js';
import { failureResponse } from '../protocol/failure-response.js';
import { flat } from '../protocol/json-sender.js';
import type { NoteRequest } from '../protocol/note-requests.js';
import { type OtherResponse, operationMethods, otherResponse } from '../protocol/other-paths.js';
import { identify, requestIdHeader, requestIdOf } from '../protocol/request-id.js';
import { usualSecurityHeaders } from '../protocol/security-headers.js';
import { effectOnOthers } from '../protocol/simulate/effect-on-others.js';
import { simulatedHeader } from '../protocol/simulate/simulated-note.js';
import { otherApiPath } from '../simulation/fault-rules.js';
import type { Simulation } from '../simulation/simulation.js';
import type { Answer } from './answer.js';
import type { FetchRequest } from './fetch-request.js';
import { sendContent } from './fetch-transport.js';
import { wait } from './wait.js';

type Dependencies = Readonly<{
  simulation: Simulation;
  /** Whether a path is that of an operation. */
  isOperation: (path: string) => boolean;
  delay: number;
  note: NoteRequest<FetchRequest>;
  elapsed: Clock;
}>;

/**
 * Answers what is no request to an operation, as the server does: OPTIONS, other methods, and paths that do
 * not exist.
 */
export const answerOthers = ({
  simulation,
  isOperation,
  delay,
  note,
  elapsed,
}: Dependencies): ((request: FetchRequest) => Promise<Answer>) => {
  const answer = async (request: FetchRequest): Promise<Answer> => {
    const { method, path, signal, isWellFormed } = request;
    if (!isWellFormed) return send(request, failureResponse({ _tag: 'MalformedRequest' }), {});
    const isApi = path.startsWith('/api/');
    const effect = isApi ? effectOnOthers(request, simulation.faults, otherApiPath) : null;
    const milliseconds = isApi ? delay + (effect?.applied.delay ?? 0) : 0;
    if (milliseconds > 0 && !(await wait(milliseconds, signal))) return { _tag: 'Gone' };
    const simulated = effect === null ? {} : { [simulatedHeader]: effect.what };
    return send(request, otherResponse(method, isOperation(path) ? operationMethods : []), simulated);
  };
  return async (request) => {
    const started = elapsed();
    identify(request);
    const answered = await answer(request);
    note(request, started);
    return answered;
  };
};

const send = (
  request: FetchRequest,
  { status, headers, body }: OtherResponse,
  simulated: Readonly<Record<string, string>>,
): Answer => {
  const content = body?.content;
  const head = flat({
    [requestIdHeader]: requestIdOf(request),
    ...usualSecurityHeaders,
    // On other paths, the server says by this that it tells pages of other origins apart.
    ...(request.path.startsWith('/api/') ? apiHeaders : { ...uncachedHeaders, Vary: 'Origin' }),
    ...simulated,
    ...headers,
    ...(content === undefined
      ? {}
      : { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(content.length) }),
  });
  return sendContent(request, status, head, content);
};
