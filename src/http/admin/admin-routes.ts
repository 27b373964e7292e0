import type Router from '@koa/router';
import * as t from 'io-ts';
import type { Context, Middleware } from 'koa';
import * as E from '#fp-ts/Either';
import { formatProblem, type Problem, problemsOf } from '../../contract/codecs/problem.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import { docsPaths } from '../../pages/paths.js';
import { asset } from '../asset.js';
import { type ControlFailure, failureResponse } from '../operations/failures.js';
import { render } from '../operations/rendered.js';
import type { ErrorResponses } from '../pages/web-responses.js';
import { type OutgoingResponse, respond, write } from '../response.js';
import { type AdminAccess, adminRoot, isAdminPath, mayControl } from './admin-guard.js';

/** A codec of the parameters in a query, which refuses unknown ones. */
type QueryCodec = t.Mixed & Readonly<{ props: t.Props }>;

/** What is known about a control, whatever it does. */
type AdminFacts<Query extends QueryCodec, Body extends t.Mixed, Result extends t.Mixed> = Readonly<{
  /** Its name in the OpenAPI document. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/__admin`, with `{name}` for a parameter: `/faults/{id}`. */
  path: string;
  /** What it is part of. */
  tag: string;
  summary: string;
  description?: string;
  /** What is answered: a status, and its body; a null codec: none. */
  success: Readonly<{ status: 200 | 201 | 204; description: string; codec: Result | null }>;
  /** The statuses of its failures, and when they are sent. */
  failures?: Readonly<Record<number, string>>;
  /** The parameters of its query; left out: none. */
  query?: Query;
  /** What is sent; left out: nothing. */
  body?: Body;
  /** The media types of its body; left out: `application/json`. */
  mediaTypes?: readonly string[];
}>;

/** A request to a control, decoded. */
type AdminRequest<Query extends QueryCodec, Body extends t.Mixed> = Readonly<{
  /** The value of `{id}` in the path. */
  id: string;
  query: t.TypeOf<Query>;
  body: t.TypeOf<Body>;
  /** The media type of the body, which is one of those that the control takes. */
  mediaType: string;
}>;

/** What a control does: a result, or why not. */
type Handle<Query extends QueryCodec, Body extends t.Mixed, Result extends t.Mixed> = (
  request: AdminRequest<Query, Body>,
) => Promise<E.Either<ControlFailure, t.TypeOf<Result>>> | E.Either<ControlFailure, t.TypeOf<Result>>;

type RouterContext = Context & Readonly<{ params: Readonly<Record<string, string>> }>;

/** A control whose types are hidden: what routes and documents are made of. */
export type AdminRoute = AdminFacts<QueryCodec, t.Mixed, t.Mixed> &
  Readonly<{
    mediaTypes: readonly string[];
    /** Decodes a request, handles it, and renders what comes of it. */
    answer: (ctx: RouterContext) => Promise<OutgoingResponse>;
  }>;

/** The query of a control that takes no parameters. */
const NoParameters = new StrictObject({}, 'query');

/** Makes a route of a control. */
export const adminRoute = <Query extends QueryCodec, Body extends t.Mixed, Result extends t.Mixed>({
  handle,
  mediaTypes = ['application/json'],
  ...facts
}: AdminFacts<Query, Body, Result> & Readonly<{ handle: Handle<Query, Body, Result> }>): AdminRoute => ({
  ...facts,
  mediaTypes,
  answer: async (ctx) => {
    const { id, method, query = NoParameters, body = t.undefined, success } = facts;
    const sent =
      method === 'GET' ? E.right(undefined) : await readBody(ctx, mediaTypes, facts.body !== undefined);
    if (E.isLeft(sent)) return failureResponse(sent.left);
    const decodedQuery = query.decode({ ...ctx.query });
    if (E.isLeft(decodedQuery)) return failureResponse(invalid(problemsOf(decodedQuery.left)));
    const decodedBody = body.decode(sent.right);
    if (E.isLeft(decodedBody)) return failureResponse(invalid(problemsOf(decodedBody.left)));
    const result = await handle({
      id: ctx.params.id ?? '',
      mediaType: ctx.request.type,
      query: decodedQuery.right,
      body: decodedBody.right,
    });
    if (E.isLeft(result)) return failureResponse(result.left);
    if (success.codec === null) return { status: success.status };
    const rendered = render(success.codec, result.right);
    return E.isLeft(rendered)
      ? failureResponse({ _tag: 'ContractBroken', row: id, problems: rendered.left })
      : { status: success.status, body: rendered.right };
  },
});

export const invalid = (problems: readonly Problem[]): ControlFailure => ({
  _tag: 'ControlInvalid',
  problems: problems.map(formatProblem),
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
  // Loaded with the first body: it imports much.
  const { default: bodyParser } = await import('koa-bodyparser');
  const parse = bodyParser({
    enableTypes: ['json'],
    extendTypes: { json: [...types] },
    jsonLimit: maxLength,
  });
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

/**
 * Hides the controls from everyone who may not use them: the answer is that to an unknown path. Null: from
 * everyone.
 */
export const hideControls = (
  access: AdminAccess | null,
  errorResponse: ErrorResponses['response'],
): Middleware => {
  const isAllowed = access === null ? () => false : mayControl(access);
  return async function hideControls(ctx, next) {
    if (!isAdminPath(ctx.path) || isAllowed(ctx.req)) return next();
    write(ctx, await errorResponse(ctx, { _tag: 'NotFound' }));
  };
};

/** Adds the controls, and their OpenAPI document. What makes it is loaded with the first request for it. */
export const addAdmin = (router: Router, routes: readonly AdminRoute[]): void => {
  for (const { path, method, answer } of routes)
    router.register(`${adminRoot}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, [method], respond(answer));
  let served: Promise<Middleware> | undefined;
  router.get(docsPaths.controlsDocument, async function document(ctx, next) {
    served ??= import('./admin-document.js').then(({ adminDocument }) =>
      asset('application/json', () => JSON.stringify(adminDocument(routes))),
    );
    return (await served)(ctx, next);
  });
};
