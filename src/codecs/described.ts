import * as t from 'io-ts';

/** A codec with what is to be said of the value for people. It takes and gives what the codec does, under the codec's name. */
export class Described<A, O> extends t.Type<A, O, unknown> {
  readonly _tag = 'Described';

  constructor(
    readonly codec: t.Type<A, O>,
    readonly description: string,
    /** What of it this project decided, since the contract is silent; `null`: nothing. */
    readonly decision: string | null,
  ) {
    super(codec.name, codec.is, codec.validate, codec.encode);
  }
}

/** `codec` with a description, and what of the value is our decision. */
export const described = <A, O>(
  codec: t.Type<A, O>,
  description: string,
  decision: string | null = null,
): Described<A, O> => new Described(codec, description, decision);
