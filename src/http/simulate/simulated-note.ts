import type { Context } from 'koa';

/** The response header that says that a response is not the real one, and why. */
export const simulatedHeader = 'X-Triage-Simulated';

/** Remembers what is simulated for a request, for the logs. */
export const noteSimulated = (ctx: Context, what: string): void => {
  ctx.state.simulated = what;
};

/** What is simulated for a request; null: nothing. */
export const simulatedOf = (ctx: Context): string | null => {
  const { simulated } = Object(ctx.state);
  return typeof simulated === 'string' ? simulated : null;
};
