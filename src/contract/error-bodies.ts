import * as t from 'io-ts';
import { type Described, described } from './codecs/combinators.js';

/** The codec of an error body, with any message or with a fixed one. */
export type ErrorBodyCodec = t.Mixed &
  Readonly<{ type: Readonly<{ props: Readonly<{ error: Described<t.StringC> | FixedMessage }> }> }>;

type FixedMessage = t.Mixed & Readonly<{ _tag: 'LiteralType'; value: string }>;

export type FixedErrorCodec<Message extends string> = t.ExactC<t.TypeC<{ error: t.LiteralC<Message> }>>;

/** The body of every failure: one string field (contract, section 7). */
export const ErrorBody = t.strict(
  { error: described(t.string, 'What is wrong, for people to read.') },
  'ErrorBody',
);
export type ErrorBody = t.TypeOf<typeof ErrorBody>;

const fixedError = <Message extends string>(message: Message): FixedErrorCodec<Message> =>
  t.strict({ error: t.literal(message) }, `error body ${JSON.stringify(message)}`);

/** 401 on all four operations (contract, section 7). */
export const UnauthorizedBody = fixedError('Unauthorized');

/** 404 of getFinding alone; not the generic `NotFoundBody` (contract, section 7, note 1). */
export const FindingNotFoundBody = fixedError('finding not found');

/** 404 of every path that is not an operation (contract, section 7, note 1 names the literal). */
export const NotFoundBody = fixedError('Not found');

/** 405, where the contract is silent. */
export const MethodNotAllowedBody = fixedError('Method not allowed');

/** 429, where the contract is silent: of a server that limits requests, or simulates that. */
export const TooManyRequestsBody = fixedError('Too many requests');

/** 500, where the contract is silent: never a detail of what went wrong. */
export const InternalServerErrorBody = fixedError('Internal server error');

/** 503, where the contract is silent: the storage cannot be reached. */
export const ServiceUnavailableBody = fixedError('Service unavailable');
