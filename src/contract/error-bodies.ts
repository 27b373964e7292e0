import * as t from 'io-ts';
import { described } from '../codecs/described.js';

/** The body of every failure: one string field (contract, section 7). */
export const ErrorBody = t.strict(
  { error: described(t.string, 'What is wrong, in words for people.') },
  'ErrorBody',
);
export type ErrorBody = t.TypeOf<typeof ErrorBody>;

/** An error body with one message only. */
export type ErrorLiteral<M extends string> = ReturnType<typeof errorBody<M>>;

const errorBody = <M extends string>(message: M) =>
  t.strict({ error: t.literal(message) }, `error body ${JSON.stringify(message)}`);

/** 401 on all four operations (contract, section 7). */
export const UnauthorizedBody = errorBody('Unauthorized');

/** 404 of getFinding alone; not the generic `NotFoundBody` (contract, section 7, note 1). */
export const FindingNotFoundBody = errorBody('finding not found');

/** 404 of every path that is not an operation (contract, section 7, note 1 names the literal). */
export const NotFoundBody = errorBody('Not found');

/** 405, where the contract is silent. */
export const MethodNotAllowedBody = errorBody('Method not allowed');

/** 500, where the contract is silent: never a detail of what went wrong. */
export const InternalServerErrorBody = errorBody('Internal server error');

/** 503, where the contract is silent: the storage cannot be reached. */
export const ServiceUnavailableBody = errorBody('Service unavailable');
