import type { Context } from 'koa';
import { type SecurityEvent, securityEvents, type Visitor } from '../../accounts/account-flow.js';
import type { Log } from '../../common/log.js';
import { addressOf } from '../guard.js';
import { noteTenant, requestLog } from '../operations/request.js';
import { sessionHashOf } from './signed-in-user.js';

/** The visitor who sends a request. Security events go to the log and to `observe`. */
export const visitorOf =
  (log: Log, observe: (event: SecurityEvent) => void) =>
  (ctx: Context): Visitor => {
    const address = addressOf(ctx);
    return {
      address,
      session: sessionHashOf(ctx),
      // A client that has sent everything may still read; but few do, and logins need not wait for them.
      hasLeft: () => ctx.req.socket.destroyed || ctx.req.socket.readableEnded,
      report: (reported) => {
        const { _tag, ...details } = reported;
        if (reported._tag === 'LoggedIn' || reported._tag === 'SignedUp') noteTenant(ctx, reported);
        const { level, event } = securityEvents[_tag];
        requestLog(log, ctx)(level, event, { ...details, address });
        observe(reported);
      },
    };
  };
