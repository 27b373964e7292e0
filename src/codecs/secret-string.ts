import * as t from 'io-ts';
import { hasShape, type StringShape } from './string-codec.js';

/** Text that must not be shown: a password, a session value, a token. Problems never quote it. */
export class SecretString extends t.Type<string, string, unknown> {
  readonly _tag = 'Secret';

  constructor(
    name: string,
    readonly shape: StringShape,
    also: (text: string) => boolean = () => true,
  ) {
    const is = (u: unknown): u is string => typeof u === 'string' && hasShape(shape, u) && also(u);
    super(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}
