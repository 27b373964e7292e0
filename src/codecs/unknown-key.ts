import * as t from 'io-ts';
import { didYouMean } from '../common/did-you-mean.js';

/** Stands in a decoding error where an object has a key that it may not have. It accepts nothing. */
export class UnknownKey extends t.Type<never, never, unknown> {
  readonly _tag = 'UnknownKey';

  constructor(key: string, known: readonly string[]) {
    const hint = didYouMean(key, known);
    super(
      `unknown key${hint === '' ? `; known keys are ${known.join(', ')}` : hint}`,
      (_u): _u is never => false,
      (u, c) => t.failure(u, c),
      t.identity,
    );
  }
}
