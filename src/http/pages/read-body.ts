import type { Context, Middleware } from 'koa';
import { maxBodyLength } from '../operations/failures.js';
import { write } from '../response.js';
import type { WebResponses } from './web-responses.js';

type BodyRefused = 'UnsupportedMediaType' | 'BodyTooLong' | 'MalformedBody';

/** The parser is loaded with the first post: it imports much, and requests of the API need none. */
const loadParser = async (): Promise<Middleware> => {
  const { default: bodyParser } = await import('koa-bodyparser');
  return bodyParser({ enableTypes: ['json', 'form'], jsonLimit: maxBodyLength, formLimit: maxBodyLength });
};

/** Parses the body of a post, JSON or a form. Other types, longer bodies and malformed ones are refused. */
export const readBody = ({ refusal }: WebResponses): Middleware => {
  let loaded: Promise<Middleware> | undefined;
  const parsed = async (ctx: Context): Promise<BodyRefused | null> => {
    if (ctx.request.length !== 0 && !ctx.is('json', 'urlencoded')) return 'UnsupportedMediaType';
    loaded ??= loadParser();
    const parse = await loaded;
    try {
      await parse(ctx, async () => {});
      return null;
    } catch (error) {
      // The errors of the parser are of several classes; what they have in common is a status.
      return Object(error).status === 413 ? 'BodyTooLong' : 'MalformedBody';
    }
  };
  return async function readBody(ctx, next) {
    const refused = await parsed(ctx);
    if (refused === null) return next();
    write(ctx, await refusal(ctx, { _tag: refused }));
  };
};
