import type { Context, Middleware } from 'koa';
import { otherApiPath } from '../../simulation/fault-rules.js';
import type { Simulation } from '../../simulation/simulation.js';
import { failureResponse, messageOf } from '../operations/failures.js';
import { simulatedHeader } from '../operations/request.js';
import { effectOnOthers, failureWith } from '../operations/simulate.js';
import { hang, wait, write } from '../response.js';
import type { WebResponses } from './web-responses.js';

/** Applies rules to what is no operation: pages that a rule names, and delays to unknown paths of the API. */
export const simulatePages = (simulation: Simulation, { errorPage, prefersJson }: WebResponses): Middleware =>
  async function simulatePages(ctx, next) {
    const operation = nameOf(ctx);
    const effect = effectOnOthers(ctx, simulation.faults, operation);
    if (effect === null) return next();
    const { code, delay, kind } = effect.applied;
    ctx.set(simulatedHeader, effect.what);
    if (delay > 0 && !(await wait(ctx, delay))) return undefined;
    if (code === null && kind === null) return next();
    // No route sees the request, so the logs have the name that the rule gives it.
    ctx.state.operation = operation;
    if (kind === 'hang' || code === null) return hang(ctx, simulation);
    const failure = failureWith(code);
    const message = `This failure is simulated: ${messageOf(failure)}.`;
    write(ctx, prefersJson(ctx) ? failureResponse(failure) : await errorPage(ctx, failure, message));
  };

const nameOf = (ctx: Context): string =>
  ctx.path.startsWith('/api/') ? otherApiPath : `${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${ctx.path}`;
