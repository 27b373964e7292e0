import type { Context } from 'koa';

/** Remembers what a response warns of, without what may be a secret. */
export const noteWarning = (ctx: Context, warning: string): void => {
  ctx.state.warning = warning;
};

/** What a response warns of; null: nothing. */
export const warningOf = (ctx: Context): string | null => {
  const { warning } = Object(ctx.state);
  return typeof warning === 'string' ? warning : null;
};
