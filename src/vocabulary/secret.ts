import * as t from 'io-ts';

/** Text that must not be shown: a password, a session value, a token. Problems never quote it. */
export class Secret extends t.Type<string, string, unknown> {
  readonly _tag = 'Secret';

  constructor(name: string, accepts: (text: string) => boolean) {
    super(
      name,
      (u): u is string => typeof u === 'string' && accepts(u),
      (u, c) => (typeof u === 'string' && accepts(u) ? t.success(u) : t.failure(u, c)),
      t.identity,
    );
  }
}
