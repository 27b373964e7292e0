import * as t from 'io-ts';
import { hasShape, type StringShape } from './string-codec.js';

/** A string that must not be shown: a password, a session value or a token. Error messages never quote it. */
export class SecretString extends t.Type<string, string, unknown> {
  readonly _tag = 'SecretString';
  readonly keepsValues = true;
  readonly holdsSecret = true;

  constructor(
    name: string,
    readonly shape: StringShape,
    refine: (text: string) => boolean = () => true,
  ) {
    const is = (u: unknown): u is string => typeof u === 'string' && hasShape(shape, u) && refine(u);
    super(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}
