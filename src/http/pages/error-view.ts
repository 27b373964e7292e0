import type { Context } from 'koa';
import { html } from '../../pages/html.js';
import type { ErrorView } from '../../pages/layout.js';
import { type Failure, messageOf, retryAfterSeconds, statuses } from '../operations/failures.js';
import { localReferrer } from './return-path.js';

/** The longest path that a page repeats. */
const maxPath = 200;

const inEnglish = new Intl.ListFormat('en');

/** What the page of an error shows. `methods`: what the path accepts instead. */
export const errorView = (ctx: Context, failure: Failure, methods: readonly string[] = []): ErrorView => {
  const status = statuses[failure._tag];
  const referrer = localReferrer(ctx);
  return {
    status,
    message: messageFor(ctx, failure, methods),
    retryAfterSeconds: retryAfterSeconds(failure),
    back: referrer === ctx.url ? null : referrer,
  };
};

const messageFor = (ctx: Context, failure: Failure, methods: readonly string[]): ErrorView['message'] => {
  const path = ctx.path.length > maxPath ? `${ctx.path.slice(0, maxPath)}…` : ctx.path;
  switch (failure._tag) {
    case 'NotFound':
      return html`There is no page at <code>${path}</code>.`;
    case 'MethodNotAllowed':
      return html`<code>${path}</code> does not accept ${ctx.method} requests, only ${inEnglish.format(methods.toSorted())}.`;
    case 'TooManyAttempts':
      return 'There were too many attempts from your network.';
    case 'MalformedRequest':
      return 'The request is malformed.';
    case 'Unexpected':
    case 'ContractBroken':
    case 'RecordBroken':
    case 'StorageFailed':
      return 'The server could not handle this request. Its log has the details.';
    case 'StorageUnavailable':
      return 'The server cannot reach its data right now.';
    default:
      return `${messageOf(failure)}.`;
  }
};
