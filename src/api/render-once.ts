import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { Problem } from '../codecs/problem.js';
import { type Rendered, render } from './rendered.js';

/**
 * Renders rows, and keeps the JSON of those that are frozen for as long as they live: what cannot have changed is not
 * validated again. `words` is what the view shows besides the row; when that has changed, the row is rendered anew.
 */
export const renderOnce = <Row extends object, A, O>(
  codec: t.Type<A, O>,
  view: (row: Row, words: string) => A,
): ((row: Row, words?: string) => E.Either<readonly Problem[], Rendered>) => {
  const kept = new WeakMap<Row, Readonly<{ words: string; rendered: Rendered }>>();
  return (row, words = '') => {
    const before = kept.get(row);
    if (before?.words === words) return E.right(before.rendered);
    const result = render(codec, view(row, words));
    if (E.isRight(result) && Object.isFrozen(row)) kept.set(row, { words, rendered: result.right });
    return result;
  };
};
