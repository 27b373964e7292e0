import type { IncomingMessage } from 'node:http';
import type Router from '@koa/router';
import * as t from 'io-ts';
import type { Context, Middleware } from 'koa';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { tooDeep } from '../common/json.js';
import { decode, formatProblem, type Problem, problem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { docsPaths } from '../web/paths.js';
import { type ControlFailure, failureResponse } from '../protocol/failures.js';
import { type Rendered, render } from '../protocol/rendered.js';
import { parseBody } from '../web/csrf.js';
import { lazyDocument } from '../web/web.js';
import type { WebResponses } from '../web/web-responses.js';
import { type OutgoingResponse, respond, write } from '../http/write-response.js';
import { adminRoot, isAdminPath } from '../http/admin-guard.js';

/** A codec of the parameters in a query, which refuses unknown ones. */
type QueryCodec = t.Mixed & Readonly<{ props: t.Props }>;

type Control<Query extends QueryCodec, Body extends t.Mixed, Result extends t.Mixed> = Readonly<{
  id: string;
  summary: string;
  description?: string;
  /** What is answered: a status, and its body; a null codec: none. */
  success: Readonly<{ status: 200 | 201 | 204; description: string; codec: Result | null }>;
  failures?: Readonly<Record<number, string>>;
  query?: Query;
  body?: Body;
  /** The media types of its body; left out: `application/json`. */
  mediaTypes?: readonly string[];
  /** `id`: the value of `{id}` in the path. `mediaType`: one of those that the control takes. */
  handle: (
    request: Readonly<{ id: string; query: t.TypeOf<Query>; body: t.TypeOf<Body>; mediaType: string }>,
  ) => Promise<E.Either<ControlFailure, t.TypeOf<Result>>> | E.Either<ControlFailure, t.TypeOf<Result>>;
}>;

/** A control whose types are hidden: what routes and documents are made of. */
export type AdminRoute = Omit<Control<QueryCodec, t.Mixed, t.Mixed>, 'handle'> &
  Readonly<{
    tag: string;
    method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /** Below `/__admin`, with `{name}` for a parameter: `/faults/{id}`. */
    path: string;
    mediaTypes: readonly string[];
    /** Decodes what was sent, handles it, and renders what comes of it. */
    use: (
      sent: Readonly<{ id: string; query: unknown; body: unknown; mediaType: string }>,
    ) => Promise<E.Either<ControlFailure, Done>>;
    /** Answers a request of a program. */
    answer: (ctx: Context) => Promise<OutgoingResponse>;
  }>;

/** What a control has done. */
type Done = Readonly<{ status: number; body?: Rendered<t.Mixed> }>;

/** Makes a route of a control; `tag`: what the control is part of. */
export const control = <Query extends QueryCodec, Body extends t.Mixed, Result extends t.Mixed>(
  tag: string,
  method: AdminRoute['method'],
  path: string,
  { handle, mediaTypes = ['application/json'], ...facts }: Control<Query, Body, Result>,
): AdminRoute => {
  const { query = new StrictObject({}, 'query'), body = t.undefined, success } = facts;
  const use: AdminRoute['use'] = async ({ id, mediaType, ...sent }) => {
    const decoded = pipe(
      E.Do,
      E.bind('query', () => decode(query, sent.query)),
      E.bind('body', () => decode(body, sent.body)),
    );
    if (E.isLeft(decoded)) return E.left(invalid(decoded.left));
    const result = await handle({ id, mediaType, ...decoded.right });
    if (E.isLeft(result)) return result;
    if (success.codec === null) return E.right({ status: success.status });
    const rendered = render(success.codec, result.right);
    // What a control answers is made by this program alone.
    if (E.isLeft(rendered))
      throw new TypeError(`${facts.id}: ${rendered.left.map(formatProblem).join('; ')}`);
    return E.right({ status: success.status, body: rendered.right });
  };
  const answer = async (ctx: Context): Promise<OutgoingResponse> => {
    const body =
      method === 'GET' ? E.right(undefined) : await readBody(ctx, mediaTypes, facts.body !== undefined);
    if (E.isLeft(body)) return failureResponse(body.left);
    const sent = { id: ctx.params.id ?? '', query: { ...ctx.query }, body: body.right };
    const done = await use({ ...sent, mediaType: ctx.request.type });
    return E.isLeft(done) ? failureResponse(done.left) : done.right;
  };
  return { ...facts, tag, method, path, mediaTypes, use, answer };
};

export const invalid = (problems: readonly Problem[]): ControlFailure => ({
  _tag: 'ControlInvalid',
  problems,
});

/** The longest body of a control: a patch of a large dataset. */
const maxLength = '4mb';

/**
 * Reads the body of a request; undefined if the control takes none. Any type but JSON is refused: a page of
 * another site may send texts and forms without being asked for permission, but no JSON.
 */
const readBody = async (
  ctx: Context,
  types: readonly string[],
  takesBody: boolean,
): Promise<E.Either<ControlFailure, unknown>> => {
  const { type } = ctx.request;
  if (!types.includes(type) && (takesBody || type !== ''))
    return E.left({ _tag: 'ControlMediaType', expected: types.join(' or ') });
  if (!takesBody) return E.right(undefined);
  const failure = await parseBody(ctx, {
    enableTypes: ['text'],
    extendTypes: { text: [...types] },
    textLimit: maxLength,
  });
  if (failure === 'BodyTooLong') return E.left({ _tag: 'ControlBodyTooLong', expected: maxLength });
  if (failure !== null)
    return refused(`the body is no valid JSON, ${tooDeep}, or neither an object nor a list`);
  // The parser makes an empty object of an empty body, which would be a valid patch.
  return (ctx.request.rawBody ?? '') === '' ? refused('the body is empty') : E.right(ctx.request.body);
};

const refused = (message: string): E.Either<ControlFailure, never> => E.left(invalid([problem([], message)]));

/** Answers whoever may not use the controls as if they were an unknown path. */
export const hideControls = (
  mayUse: (request: IncomingMessage) => boolean,
  { noRoute }: WebResponses,
): Middleware =>
  async function hideControls(ctx, next) {
    if (!isAdminPath(ctx.path) || mayUse(ctx.req)) return next();
    write(ctx, await noRoute(ctx, { _tag: 'NotFound' }));
  };

export const addAdmin = (router: Router, routes: readonly AdminRoute[]): void => {
  for (const { path, method, answer } of routes) {
    router.register(`${adminRoot}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, [method], respond(answer));
    if (path === '/') router.register(adminRoot, [method], respond(answer));
  }
  const document = lazyDocument(async () => {
    const { adminDocument } = await import('./document.js');
    return () => adminDocument(routes);
  });
  router.get(docsPaths.controlsDocument, document);
};
