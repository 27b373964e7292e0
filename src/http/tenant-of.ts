import type { Context } from 'koa';
import type { Caller } from '../records/caller.js';

/** Remembers on whose behalf a request acts, for the access log. */
export const noteTenant = (ctx: Context, { userId }: Caller): void => {
  ctx.state.tenantId = userId;
};

/** The tenant on whose behalf a request acts; null: none is known, or the credentials were not valid. */
export const tenantOf = (ctx: Context): string | null => {
  const { tenantId } = Object(ctx.state);
  return typeof tenantId === 'string' ? tenantId : null;
};
