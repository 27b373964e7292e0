import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import { type Problem, problemsOf } from '../codecs/problem.js';
import { ErrorBody, type ErrorLiteral } from '../contract/error-bodies.js';
import { PageInfo } from '../contract/page.js';

class CheckedJson {
  readonly #json: string;

  constructor(json: string) {
    this.#json = json;
  }

  get json(): string {
    return this.#json;
  }
}

/**
 * JSON that a codec of the contract has passed (contract, section 1, rule 3). Its constructor does not leave this file, so
 * that nothing else in the program can make one, and http sends nothing else.
 */
export type Rendered = CheckedJson;

/** Checks a value against the codec of what is to be sent, encodes and serialises it. */
export const render = <A, O>(codec: t.Type<A, O>, value: A): E.Either<readonly Problem[], Rendered> =>
  pipe(
    codec.decode(value),
    E.bimap(problemsOf, (checked) => new CheckedJson(JSON.stringify(codec.encode(checked)))),
  );

/** A bare array of rendered items (contract, section 2.4, last line). */
export const renderList = (items: readonly Rendered[]): Rendered => new CheckedJson(listJson(items));

/** A page envelope around rendered items (contract, section 2.4). */
export const renderPage = (
  items: readonly Rendered[],
  figures: PageInfo,
): E.Either<readonly Problem[], Rendered> =>
  pipe(
    render(PageInfo, figures),
    E.map(({ json }) => new CheckedJson(`{"items":${listJson(items)},${json.slice(1)}`)),
  );

/** An error body with a message of its own (contract, section 7). */
export const renderError = (message: string): Rendered =>
  new CheckedJson(JSON.stringify(ErrorBody.encode({ error: message })));

/** An error body whose message its codec prescribes (contract, section 7). */
export const renderErrorLiteral = <M extends string>({ type }: ErrorLiteral<M>): Rendered =>
  renderError(type.props.error.value);

/** The body of a health check that went well; not part of the contract. */
export const renderHealthy = (): Rendered => new CheckedJson('{"status":"ok"}');

const listJson = (items: readonly Rendered[]): string => `[${items.map(({ json }) => json).join(',')}]`;
