import type { Context, Middleware } from 'koa';
import * as E from '#fp-ts/Either';
import type { ControlFailure } from '../operations/failures.js';
import type { AdminRoute } from './admin-route.js';

/** The longest body of a control: a patch of a large dataset. */
const maxLength = '4mb';

/** The media types that a control takes. */
export const mediaTypesOf = ({ mediaTypes }: AdminRoute): readonly string[] =>
  mediaTypes ?? ['application/json'];

/** The parser is loaded with the first body: it imports much. */
const loadParser = async (types: readonly string[]): Promise<Middleware> => {
  const { default: bodyParser } = await import('koa-bodyparser');
  return bodyParser({ enableTypes: ['json'], extendTypes: { json: [...types] }, jsonLimit: maxLength });
};

/**
 * Reads the body of a request to a control; undefined if the control takes none. Any type but JSON is
 * refused: a page of another site may send texts and forms without being asked for permission, but no JSON.
 */
export const readControlBody = (
  route: AdminRoute,
): ((ctx: Context) => Promise<E.Either<ControlFailure, unknown>>) => {
  const types = mediaTypesOf(route);
  let loaded: Promise<Middleware> | undefined;
  return async (ctx) => {
    const { type } = ctx.request;
    if (!types.includes(type) && (route.body !== null || type !== '')) {
      return E.left({ _tag: 'ControlMediaType', expected: types.join(' or ') });
    }
    if (route.body === null) return E.right(undefined);
    loaded ??= loadParser(types);
    const parse = await loaded;
    try {
      await parse(ctx, async () => {});
      // The parser makes an empty object of an empty body, which would be a valid patch.
      return (ctx.request.rawBody ?? '') === ''
        ? E.left({ _tag: 'ControlInvalid', problems: ['the body is empty'] })
        : E.right(ctx.request.body);
    } catch (error) {
      // The errors of the parser are of several classes; what they have in common is a status.
      return E.left(
        Object(error).status === 413
          ? { _tag: 'ControlBodyTooLong', expected: maxLength }
          : {
              _tag: 'ControlInvalid',
              problems: ['the body is no valid JSON, or neither an object nor a list'],
            },
      );
    }
  };
};
