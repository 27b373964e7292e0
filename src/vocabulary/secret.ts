import * as t from 'io-ts';
import { hasShape, type TextShape } from './text-kind.js';

/** Text that must not be shown: a password, a session value, a token. Problems never quote it. */
export class Secret extends t.Type<string, string, unknown> {
  readonly _tag = 'Secret';

  constructor(
    name: string,
    readonly shape: TextShape,
    also: (text: string) => boolean = () => true,
  ) {
    const is = (u: unknown): u is string => typeof u === 'string' && hasShape(shape, u) && also(u);
    super(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
  }
}
