import type { Context } from 'koa';
import type { Rendered } from '../api/rendered.js';
import { errorAnswer } from './error-answer.js';
import type { HttpError } from './http-error.js';

/** Seconds after which a client may ask again when the storage cannot be reached. */
const retryAfter = 1;

/** Puts a body on the response. It takes nothing but what a codec of the contract has passed. */
export const send = (ctx: Context, status: number, body: Rendered): void => {
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body.json;
};

/** Answers with what went wrong. */
export const sendError = (ctx: Context, error: HttpError): void => {
  const { status, body } = errorAnswer(error);
  if (status === 503) ctx.set('Retry-After', String(retryAfter));
  send(ctx, status, body);
};
