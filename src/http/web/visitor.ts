import type { Context } from 'koa';
import type { SecurityEvent } from '../../accounts/security-event.js';
import type { Visitor } from '../../accounts/visitor.js';
import type { Log } from '../../common/log.js';
import { addressOf } from '../address-key.js';
import { sessionHashOf } from './signed-in-user.js';

/** The visitor who sends a request, and whose security events go to the log. */
export const visitorOf =
  (log: Log) =>
  (ctx: Context): Visitor => {
    const address = addressOf(ctx);
    return {
      address,
      session: sessionHashOf(ctx),
      hasLeft: () => ctx.req.socket.destroyed,
      report: ({ _tag, ...details }) => log('info', events[_tag], { ...details, address }),
    };
  };

const events: Readonly<Record<SecurityEvent['_tag'], string>> = {
  LoggedIn: 'login',
  LogInFailed: 'login failed',
  LogInLimited: 'login refused: too many attempts',
  PasswordChanged: 'password changed',
  PasswordCheckFailed: 'password check failed',
  AccountDeleted: 'account deleted',
  SignedUp: 'sign-up',
  SignUpLimited: 'sign-up refused: too many attempts',
  LoggedOut: 'logout',
  HostRefused: 'request for another host refused',
  ApiTokenMinted: 'API token minted',
  ApiTokenRevoked: 'API token revoked',
};
