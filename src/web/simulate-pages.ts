import type { Context, Middleware } from 'koa';
import { proxyPage } from '../simulation/effect.js';
import { unknownOperation } from '../simulation/known-names.js';
import type { Simulation } from '../simulation/simulation.js';
import { messageOf } from '../protocol/failures.js';
import { simulatedHeader, warningHeader } from '../protocol/request.js';
import { effectOnOthers, unusedPreferenceWarning } from '../service/simulate.js';
import { failureWith, simulatedResponse, textOfStatus } from '../protocol/simulated-body.js';
import { drop, hang, wait, write } from '../http/write-response.js';
import type { SignedInUser } from './signed-in-user.js';
import type { WebResponses } from './web-responses.js';

/**
 * Applies rules to what is no operation: pages that a rule names, and delays to unknown paths of the API.
 * Preferences are none of theirs, which a warning says.
 */
export const simulatePages = (
  simulation: Simulation,
  { errorPage, prefersJson }: WebResponses,
  signedInUser: SignedInUser,
): Middleware =>
  async function simulatePages(ctx, next) {
    const warning = unusedPreferenceWarning(ctx);
    if (warning !== null) ctx.set(warningHeader, warning);
    const operation = nameOf(ctx);
    const effect = effectOnOthers(ctx, simulation.faults, operation);
    if (effect === null) return next();
    const { code, delay, kind, instead } = effect.applied;
    ctx.set(simulatedHeader, effect.what);
    // For the journal, which no route may tell.
    await signedInUser(ctx);
    if (delay > 0 && !(await wait(ctx, delay))) return undefined;
    if (code === null && kind === null) return next();
    // No route sees the request, so the logs have the name that the rule gives it.
    ctx.state.operation = operation;
    if (kind === 'drop') return drop(ctx);
    if (kind === 'hang' || code === null) return hang(ctx, simulation);
    const failure = failureWith(code);
    const isUsual = instead.body === undefined && !prefersJson(ctx);
    if (isUsual && failure !== undefined) {
      const message = `This failure is simulated: ${messageOf(failure)}.`;
      const page = await errorPage(ctx, failure, message);
      return write(ctx, {
        ...page,
        headers: { ...page.headers, ...simulatedResponse(code, instead, null).headers },
      });
    }
    const page = proxyPage(`${code} ${textOfStatus(code)}`);
    const shown = { ...instead, ...page, headers: { ...page.headers, ...instead.headers } };
    return write(ctx, simulatedResponse(code, isUsual ? shown : instead, null));
  };

const nameOf = (ctx: Context): string =>
  ctx.path.startsWith('/api/')
    ? unknownOperation
    : `${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${ctx.path}`;
