import type { Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import type { WebAnswers } from './web-answers.js';

/** The longest body that a form may have. */
const limit = '16kb';

/** Parses the body of a post, JSON or a form. Others, longer ones, and what is broken are refused. */
export const readBody = ({ problem }: WebAnswers): Middleware => {
  const parse = bodyParser({ enableTypes: ['json', 'form'], jsonLimit: limit, formLimit: limit });
  return async function readBody(ctx, next) {
    if (ctx.request.length !== 0 && !ctx.is('json', 'urlencoded')) {
      return problem(ctx, 415, 'Expected application/json or application/x-www-form-urlencoded');
    }
    let broken: unknown = null;
    await parse(ctx, async () => {}).catch((error: unknown) => {
      broken = error;
    });
    if (broken === null) return next();
    // The parser's errors are of several kinds, and have in common that they tell a status.
    const isTooLong = Object(broken).status === 413;
    return problem(
      ctx,
      isTooLong ? 413 : 400,
      isTooLong ? `Longer than ${limit}` : 'The body cannot be read',
    );
  };
};
