import * as t from 'io-ts';

/** Marks a decoding error as an unknown key; its name is the message. It accepts no value. */
export class UnknownKey extends t.Type<never, never, unknown> {
  readonly _tag = 'UnknownKey';

  constructor(message: string) {
    super(
      message,
      (_u): _u is never => false,
      (u, c) => t.failure(u, c),
      t.identity,
    );
  }
}
