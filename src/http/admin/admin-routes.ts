import type Router from '@koa/router';
import type * as t from 'io-ts';
import type { Context, Middleware } from 'koa';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { formatProblem, type Problem, problemsOf } from '../../contract/codecs/problem.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import { asset } from '../asset.js';
import { type ControlFailure, failureResponse } from '../operations/failures.js';
import { render } from '../operations/rendered.js';
import type { ErrorResponses } from '../pages/web-responses.js';
import { type OutgoingResponse, respond, write } from '../response.js';
import { type AdminAccess, adminDocumentPath, adminRoot, isAdminPath, mayControl } from './admin-guard.js';

/** A codec of the parameters in a query, which refuses unknown ones. */
type QueryCodec = t.Mixed & Readonly<{ props: t.Props }>;

/** A request to a control, decoded. */
type AdminRequest<Query extends QueryCodec, Body extends t.Mixed> = Readonly<{
  /** The values of `{name}` in the path. */
  params: Readonly<Record<string, string>>;
  query: t.TypeOf<Query>;
  body: t.TypeOf<Body>;
  /** The media type of the body, which is one of those that the control takes. */
  mediaType: string;
}>;

/** What a control does: a result, or why not. */
type AdminResult<A> = E.Either<ControlFailure, A>;

/** What is known about a control, whatever its codecs. */
type AdminFacts = Readonly<{
  /** Its name in the OpenAPI document. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/__admin`, with `{name}` for a parameter: `/faults/{id}`. */
  path: string;
  /** What it is part of. */
  tag: string;
  summary: string;
  description?: string;
  /** The statuses of its failures, and when they are sent. */
  failures?: Readonly<Record<number, string>>;
}>;

/** A control as data: its path, what it takes, and what it does. */
type AdminControl<Query extends QueryCodec, Body extends t.Mixed, Result extends t.Mixed> = AdminFacts &
  Readonly<{
    query: Query | null;
    /** The media types of its body; default: `application/json`. */
    mediaTypes?: readonly string[];
    /** What is sent; null: nothing. */
    body: Body | null;
    /** What is answered: a status, and its body; a null codec: none. */
    success: Readonly<{ status: 200 | 201 | 204; description: string; codec: Result | null }>;
    handle: (
      request: AdminRequest<Query, Body>,
    ) => AdminResult<t.TypeOf<Result>> | Promise<AdminResult<t.TypeOf<Result>>>;
  }>;

/** A control whose types are hidden: what routes and documents are made of. */
export type AdminRoute = AdminFacts &
  Readonly<{
    query: QueryCodec | null;
    mediaTypes: readonly string[];
    body: t.Mixed | null;
    success: Readonly<{ status: 200 | 201 | 204; description: string; codec: t.Mixed | null }>;
    /** Decodes a request, handles it, and renders what comes of it. */
    answer: (request: AdminRequest<QueryCodec, t.Mixed>) => Promise<OutgoingResponse>;
  }>;

/** The query of a control that takes no parameters. */
const NoParameters = new StrictObject({}, 'query');

/** Makes a route of a control. */
export const adminRoute = <Query extends QueryCodec, Body extends t.Mixed, Result extends t.Mixed>(
  control: AdminControl<Query, Body, Result>,
): AdminRoute => {
  const { handle, mediaTypes = ['application/json'], ...facts } = control;
  const { query, body, success } = control;
  const refused = (failure: ControlFailure): OutgoingResponse => failureResponse(failure);
  return {
    ...facts,
    mediaTypes,
    answer: async (request) => {
      const decodedQuery = decoded(query ?? NoParameters, request.query);
      if (E.isLeft(decodedQuery)) return refused(invalid(decodedQuery.left));
      const decodedBody = decoded(body, request.body);
      if (E.isLeft(decodedBody)) return refused(invalid(decodedBody.left));
      const result = await handle({
        params: request.params,
        mediaType: request.mediaType,
        query: decodedQuery.right,
        body: decodedBody.right,
      });
      if (E.isLeft(result)) return refused(result.left);
      const { status, codec } = success;
      if (codec === null) return { status };
      return pipe(
        render(codec, result.right),
        E.match(
          (problems): OutgoingResponse =>
            failureResponse({ _tag: 'ContractBroken', row: control.id, problems }),
          (rendered): OutgoingResponse => ({ status, body: rendered }),
        ),
      );
    },
  };
};

const decoded = <C extends t.Mixed>(
  codec: C | null,
  value: unknown,
): E.Either<readonly Problem[], t.TypeOf<C>> =>
  codec === null ? E.right(undefined) : pipe(codec.decode(value), E.mapLeft(problemsOf));

const invalid = (problems: readonly Problem[]): ControlFailure => ({
  _tag: 'ControlInvalid',
  problems: problems.map(formatProblem),
});

/** The longest body of a control: a patch of a large dataset. */
const maxLength = '4mb';

/** The parser is loaded with the first body: it imports much. */
const loadParser = async (types: readonly string[]): Promise<Middleware> => {
  const { default: bodyParser } = await import('koa-bodyparser');
  return bodyParser({ enableTypes: ['json'], extendTypes: { json: [...types] }, jsonLimit: maxLength });
};

/**
 * Reads the body of a request to a control; undefined if the control takes none. Any type but JSON is
 * refused: a page of another site may send texts and forms without being asked for permission, but no JSON.
 */
const readControlBody = (
  route: AdminRoute,
): ((ctx: Context) => Promise<E.Either<ControlFailure, unknown>>) => {
  const types = route.mediaTypes;
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

/** Adds the controls, and their OpenAPI document. */
export const addAdmin = (router: Router, routes: readonly AdminRoute[]): void => {
  for (const route of routes) router.register(koaPath(route.path), [route.method], respond(answer(route)));
  router.get(adminDocumentPath, document(routes));
};

/** A path with its parameters as the router writes them: `/__admin/faults/:id`. */
const koaPath = (path: string): string => `${adminRoot}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

type RouterContext = Context & Readonly<{ params: Record<string, string> }>;

const answer = (route: AdminRoute): ((ctx: RouterContext) => Promise<OutgoingResponse>) => {
  const readBody = readControlBody(route);
  return async (ctx) => {
    const body = route.method === 'GET' ? E.right(undefined) : await readBody(ctx);
    if (E.isLeft(body)) return failureResponse(body.left);
    return route.answer({
      params: ctx.params,
      query: { ...ctx.query },
      body: body.right,
      mediaType: ctx.request.type,
    });
  };
};

/** The document. What makes it is loaded with the first request for it. */
const document = (routes: readonly AdminRoute[]): Middleware => {
  let loaded: Promise<Middleware> | undefined;
  const load = async (): Promise<Middleware> => {
    const { adminDocument } = await import('./admin-document.js');
    return asset('application/json', () => JSON.stringify(adminDocument(routes)));
  };
  return async function document(ctx, next) {
    loaded ??= load();
    return (await loaded)(ctx, next);
  };
};
