import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { Params } from '../../api/call.js';
import { responseTo } from '../../api/failures.js';
import { type Rendered, render } from '../../api/rendered.js';
import { mediaTypeOf, type ServiceRequest } from '../../api/request.js';
import type { Reply } from '../../api/response.js';
import { jsonShape, maxDepth, parseJson, tooDeep } from '../../common/json.js';
import { fieldsOf } from '../../common/query-values.js';
import { decode, formatProblem, type Problem, problem } from '../../contract/codecs/problem.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import { type ControlFailure, controlFailures } from './failures.js';

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
  /** `id`: the value of `{id}` in the path. */
  handle: (
    request: Readonly<{ id: string; query: t.TypeOf<Query>; body: t.TypeOf<Body> }>,
  ) => Promise<E.Either<ControlFailure, t.TypeOf<Result>>> | E.Either<ControlFailure, t.TypeOf<Result>>;
}>;

/** A control whose types are hidden: what rows and documents are made of. */
export type AnyControl = Omit<Control<QueryCodec, t.Mixed, t.Mixed>, 'handle'> &
  Readonly<{
    tag: string;
    method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /** Below `/__admin`, with `{name}` for a parameter: `/faults/{id}`. */
    path: string;
    mediaTypes: readonly string[];
    /** Decodes what was sent, handles it, and renders what comes of it. */
    use: (
      sent: Readonly<{ id: string; query: unknown; body: unknown }>,
    ) => Promise<E.Either<ControlFailure, Done>>;
    /** Answers a request of a program. */
    answer: (request: ServiceRequest, params: Params) => Promise<Reply>;
  }>;

/** What a control has done. */
type Done = Readonly<{ status: number; body?: Rendered<t.Mixed> }>;

/** Makes a control; `tag`: what it is part of. */
export const control = <Query extends QueryCodec, Body extends t.Mixed, Result extends t.Mixed>(
  tag: string,
  method: AnyControl['method'],
  path: string,
  { handle, mediaTypes = ['application/json'], ...facts }: Control<Query, Body, Result>,
): AnyControl => {
  const { query = new StrictObject({}, 'query'), body = t.undefined, success } = facts;
  const use: AnyControl['use'] = async ({ id, ...sent }) => {
    const decoded = pipe(
      E.Do,
      E.bind('query', () => decode(query, sent.query)),
      E.bind('body', () => decode(body, sent.body)),
    );
    if (E.isLeft(decoded)) return E.left(invalid(decoded.left));
    const result = await handle({ id, ...decoded.right });
    if (E.isLeft(result)) return result;
    if (success.codec === null) return E.right({ status: success.status });
    const rendered = render(success.codec, result.right);
    // What a control answers is made by this program alone.
    if (E.isLeft(rendered))
      throw new TypeError(`${facts.id}: ${rendered.left.map(formatProblem).join('; ')}`);
    return E.right({ status: success.status, body: rendered.right });
  };
  const answer: AnyControl['answer'] = async (request, params) => {
    const body =
      method === 'GET' ? E.right(undefined) : await readBody(request, mediaTypes, facts.body !== undefined);
    if (E.isLeft(body)) return responseTo(controlFailures, body.left);
    const sent = { id: params.id ?? '', query: fieldsOf(request.querystring), body: body.right };
    const done = await use(sent);
    return E.isLeft(done) ? responseTo(controlFailures, done.left) : done.right;
  };
  return { ...facts, tag, method, path, mediaTypes, use, answer };
};

/** The most problems that a control reports: an answer must not grow with the request. */
const maxProblems = 50;

export const invalid = (problems: readonly Problem[]): ControlFailure => {
  const more = problems.length - maxProblems;
  return {
    _tag: 'ControlInvalid',
    problems: more > 0 ? [...problems.slice(0, maxProblems), problem([], `${more} more problems`)] : problems,
  };
};

/** The longest body of a control, a patch of a large dataset, in MB of 1,024 kB. */
const maxLength = 1;

/** How many values it may have: short ones take more time and memory than the length of a body tells. */
const maxValues = 30_000;

/**
 * Reads the body of a request; undefined if the control takes none. Any type but JSON is refused: a page of
 * another site may send texts and forms without being asked for permission, but no JSON.
 */
const readBody = async (
  request: ServiceRequest,
  types: readonly string[],
  takesBody: boolean,
): Promise<E.Either<ControlFailure, unknown>> => {
  const type = mediaTypeOf(request);
  if (!types.includes(type) && (takesBody || type !== ''))
    return E.left({ _tag: 'ControlMediaType', expected: types.join(' or ') });
  if (!takesBody) return E.right(undefined);
  const body = await request.body(maxLength * 1024 * 1024);
  if (body === 'TooLong') return E.left({ _tag: 'ControlBodyTooLong', expected: `${maxLength}mb` });
  if (body !== 'Malformed' && body.text === '') return refused('the body is empty');
  const shape = body === 'Malformed' ? null : jsonShape(body.text);
  if (shape !== null && shape.depth <= maxDepth && shape.values > maxValues)
    return refused(`the body has more than ${maxValues} values`);
  const parsed = body === 'Malformed' ? undefined : parseJson(body.text);
  return typeof parsed === 'object' && parsed !== null
    ? E.right(parsed)
    : refused(`the body is no valid JSON, ${tooDeep}, or neither an object nor a list`);
};

const refused = (message: string): E.Either<ControlFailure, never> => E.left(invalid([problem([], message)]));
