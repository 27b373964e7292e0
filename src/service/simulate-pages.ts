import { sleep } from '../common/concurrency.js';
import { queryOf } from '../common/query-values.js';
import { messageOf } from '../protocol/failures.js';
import { addHeaders, type ServiceRequest, simulatedHeader, warningHeader } from '../protocol/request.js';
import { type Reply, withHeaders } from '../protocol/response.js';
import { failureWith, simulatedResponse, textOfStatus } from '../protocol/simulated-body.js';
import { effectText, proxyPage } from '../simulation/effect.js';
import { unknownOperation } from '../simulation/known-names.js';
import { unusedPreferences } from '../simulation/prefer-header.js';
import type { LiveData, Simulation } from '../simulation/simulation.js';
import { explorerPath } from '../web/paths.js';
import type { Web } from '../web/web.js';
import { hang, preferenceWarning } from './simulate.js';

/**
 * Applies rules to what is no operation: pages that a rule names, and unknown paths of the API. Preferences
 * are none of theirs, which a warning says. Null: it is answered as usual.
 */
export const simulatePages =
  (
    { simulation, live }: Readonly<{ simulation: Simulation; live: LiveData | null }>,
    { responses, signedInUser }: Pick<Web, 'responses' | 'signedInUser'>,
  ) =>
  async (request: ServiceRequest): Promise<Reply | 'Cut' | 'Gone' | null> => {
    const { headers, method, notes, path, querystring } = request;
    const unused = headers.prefer === undefined ? [] : unusedPreferences(String(headers.prefer));
    if (unused.length > 0) addHeaders(request, { [warningHeader]: preferenceWarning(request, unused) });
    const mark = (what: string): void => {
      notes.simulated = notes.simulated === undefined ? what : `${notes.simulated}, ${what}`;
      addHeaders(request, { [simulatedHeader]: notes.simulated });
    };
    if (live?.isChanged() === true && (path === explorerPath || path.startsWith(`${explorerPath}/`))) {
      await signedInUser(request);
      const changed = live.changed(notes.tenantId ?? null);
      if (changed !== null) mark(changed);
    }
    // Browsers send OPTIONS before other requests, to which the rule applies.
    if (method === 'OPTIONS' || !simulation.faults.areActive()) return null;
    const page = `${method === 'HEAD' ? 'GET' : method} ${path}`;
    const operation = path.startsWith('/api/') ? unknownOperation : page;
    const query = queryOf(querystring);
    const applied = simulation.faults.apply({ operation, tenant: null, query, headers });
    if (applied === null) return null;
    mark(`${effectText(applied)} (${applied.rules.join(' ')})`);
    // For the journal, which no route may tell.
    await signedInUser(request);
    const { code, delay, kind, instead } = applied;
    if (delay > 0 && !(await sleep(delay, request.signal))) return 'Gone';
    if (kind === 'drop') return 'Cut';
    if (kind === 'hang') return hang(request, simulation);
    if (code === null) return null;
    const failure = failureWith(code);
    const isUsual = instead.body === undefined && !responses.prefersJson(request);
    if (isUsual && failure !== undefined) {
      const message = `This failure is simulated: ${messageOf(failure)}.`;
      const reply = await responses.errorReply(request, failure, message, instead.retryAfter);
      return withHeaders(reply, simulatedResponse(code, instead, null).headers);
    }
    const proxy = proxyPage(`${code} ${textOfStatus(code)}`);
    const shown = { ...instead, ...proxy, headers: { ...proxy.headers, ...instead.headers } };
    return simulatedResponse(code, isUsual ? shown : instead, null);
  };
