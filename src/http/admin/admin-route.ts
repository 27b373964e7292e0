import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { formatProblem, type Problem, problemsOf } from '../../contract/codecs/problem.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import { type ControlFailure, failureResponse } from '../operations/failures.js';
import { render } from '../operations/rendered.js';
import type { OutgoingResponse } from '../response.js';

/** A codec of the parameters in a query, which refuses unknown ones. */
type QueryCodec = t.Mixed & Readonly<{ props: t.Props }>;

/** A request to a control, decoded. */
export type AdminRequest<Query extends QueryCodec, Body extends t.Mixed> = Readonly<{
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
  /** The media types of its body; default: `application/json`. */
  mediaTypes?: readonly string[];
  /** The statuses of its failures, and when they are sent. */
  failures?: Readonly<Record<number, string>>;
}>;

/** A control as data: its path, what it takes, and what it does. */
export type AdminControl<
  Query extends QueryCodec,
  Body extends t.Mixed,
  Result extends t.Mixed,
> = AdminFacts &
  Readonly<{
    query: Query | null;
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
  const { handle, ...facts } = control;
  const { query, body, success } = control;
  const refused = (failure: ControlFailure): OutgoingResponse => failureResponse(failure);
  return {
    ...facts,
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
