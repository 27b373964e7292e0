import * as E from '#fp-ts/Either';
import type { Call, Serve } from '../api/call.js';
import { apiFailures, type Failure } from '../api/failures.js';
import { type ServiceRequest, simulatedHeader, unknownOperation } from '../api/request.js';
import type { Answer, Outcome, PageKind, Reply } from '../api/response.js';
import { queryOf } from '../common/query-values.js';
import { effectText, proxyPage, type Replacement } from './effect.js';
import { unusedPreferences } from './prefer-header.js';
import { stall, warnOfPreferences, withChanges } from './simulate.js';
import { failureWith, simulatedResponse, textOfStatus } from './simulated-body.js';
import type { LiveData, Simulation } from './simulation.js';

/** What pages do for what is simulated on them. */
export type PageSimulation = Readonly<{
  prefersJson: (request: ServiceRequest) => boolean;
  errorReply: (
    request: ServiceRequest,
    failure: Failure,
    message: string,
    retryAfter?: number,
  ) => Promise<Reply>;
  /** The account that a form or JSON names, mostly by its e-mail address; empty: none. */
  postedAccount: (request: ServiceRequest) => Promise<string>;
  kindOf: (path: string) => PageKind;
  /** Whether a page shows data that may be changed. */
  showsData: (path: string) => boolean;
}>;

const isAccountForm = /^POST \/(?:login|login\/demo|signup)$/;

/**
 * Applies rules to what is no operation: pages that a rule names, and unknown paths of the API. Preferences
 * are none of theirs, which a warning says. `pages`: null, there are none.
 */
export const pageSimulator =
  (simulation: Simulation, live: LiveData | null, pages: PageSimulation | null, next: Serve) =>
  async (call: Call): Promise<Outcome> => {
    const { request } = call;
    const { headers, method, notes, path, querystring } = request;
    const ignored = headers.prefer === undefined ? [] : unusedPreferences(String(headers.prefer));
    const mark = (what: string): void => {
      notes.simulated = notes.simulated === undefined ? what : `${notes.simulated}, ${what}`;
    };
    /** On whose behalf a request is: of who is signed in, or logs in. Null: nobody that is known. */
    const tenantOf = async (page: string): Promise<string | null> => {
      if (!simulation.faults.needTenant(page)) return null;
      const posted = isAccountForm.test(page) ? ((await pages?.postedAccount(request)) ?? '') : '';
      if (posted !== '') {
        const named = simulation.names.withTenantId({ tenant: posted });
        return E.isLeft(named) ? null : named.right.tenant;
      }
      const caller = await call.identity.caller();
      return E.isLeft(caller) ? null : caller.right.userId;
    };
    const simulate = async (): Promise<Outcome> => {
      if (live?.isChanged() === true && pages?.showsData(path) === true) {
        await call.identity.caller();
        const changed = live.changed(notes.tenantId ?? null);
        if (changed !== null) mark(changed);
      }
      // Browsers send OPTIONS before other requests, to which the rule applies.
      if (method === 'OPTIONS' || !simulation.faults.areActive()) return next(call);
      const page = `${method === 'HEAD' ? 'GET' : method} ${path}`;
      const operation = path.startsWith('/api/') ? unknownOperation : page;
      const query = queryOf(querystring);
      const tenant = await tenantOf(page);
      const applied = simulation.faults.apply({ operation, tenant, query, headers });
      if (applied === null) return next(call);
      const effect = effectText(applied);
      if (effect !== '') mark(`${effect} (${applied.rules.join(' ')})`);
      await call.identity.caller();
      const stalled = await stall(applied, applied.hold, request, simulation);
      call.identity.judgeAnew();
      const { code, instead } = applied;
      const outcome = stalled ?? (await (code === null ? next(call) : fail(code, instead)));
      return withChanges(outcome, request, applied, live);
    };
    const fail = async (code: number, instead: Replacement): Promise<Answer> => {
      const headersOf = pages?.kindOf(path) ?? 'page';
      const failure = failureWith(code);
      const isUsual = instead.body === undefined && pages?.prefersJson(request) === false;
      if (isUsual && failure !== undefined) {
        const message = `This failure is simulated: ${apiFailures.messageOf(failure)}.`;
        const reply = await pages.errorReply(request, failure, message, instead.retryAfter);
        const own = simulatedResponse(code, instead, null).headers;
        return { ...reply, headers: { ...reply.headers, ...own }, kind: headersOf };
      }
      const proxy = proxyPage(`${code} ${textOfStatus(code)}`);
      const shown = { ...instead, ...proxy, headers: { ...proxy.headers, ...instead.headers } };
      return { ...simulatedResponse(code, isUsual ? shown : instead, null), kind: headersOf };
    };
    const outcome = await simulate();
    if (typeof outcome === 'string') return outcome;
    const { simulated } = notes;
    const answer =
      simulated === undefined
        ? outcome
        : { ...outcome, headers: { [simulatedHeader]: simulated, ...outcome.headers } };
    return warnOfPreferences(request, answer, ignored);
  };
