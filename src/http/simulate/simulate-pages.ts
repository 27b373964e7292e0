import type { Context, Middleware } from 'koa';
import { effectText } from '../../simulation/effect.js';
import { otherApiPath } from '../../simulation/fault-rules.js';
import type { Simulation } from '../../simulation/simulation.js';
import { errorPage } from '../../web-pages/error-page.js';
import type { ServerMode } from '../../web-pages/layout.js';
import { valuesOf } from '../decoded-inputs.js';
import { afterDelay } from '../delay-api.js';
import { messageOf } from '../failures.js';
import { noteOperation } from '../operation-of.js';
import { failureHead, failureResponse, write } from '../response.js';
import { prefersJson } from '../web/web-responses.js';
import { hang } from './hang.js';
import { failureWith } from './simulated-failure.js';
import { noteSimulated, simulatedHeader } from './simulated-note.js';

/** Applies rules to what is no operation: pages that a rule names, and delays to unknown paths of the API. */
export const simulatePages = (simulation: Simulation, mode: ServerMode): Middleware =>
  async function simulatePages(ctx, next) {
    const { faults } = simulation;
    if (!faults.areActive()) return next();
    const operation = nameOf(ctx);
    const applied = faults.apply({ operation, tenant: null, query: valuesOf(ctx.querystring) });
    if (applied === null) return next();
    const { code, delay, kind, rules } = applied;
    const what = `${effectText(applied)} (${rules.join(' ')})`;
    noteSimulated(ctx, what);
    ctx.set(simulatedHeader, what);
    const finish = async (): Promise<void> => {
      if (code === null && kind === null) return next();
      // No route sees the request, so the logs have the name that the rule gives it.
      noteOperation(ctx, { id: operation });
      return kind === 'hang' || code === null ? hang(ctx, simulation) : fail(ctx, code, mode);
    };
    return delay > 0 ? afterDelay(ctx, delay, finish) : finish();
  };

const nameOf = (ctx: Context): string =>
  ctx.path.startsWith('/api/') ? otherApiPath : `${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${ctx.path}`;

const fail = (ctx: Context, code: number, mode: ServerMode): void => {
  const failure = failureWith(code);
  write(
    ctx,
    prefersJson(ctx)
      ? failureResponse(failure)
      : {
          ...failureHead(failure, ['session']),
          body: errorPage(
            { user: null, mode, hasExplorer: false },
            'A simulated failure',
            `${messageOf(failure)}.`,
          ),
        },
  );
};
