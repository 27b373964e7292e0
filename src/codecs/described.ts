import * as t from 'io-ts';

/** A codec with a description of its values for people. It decodes and encodes as `codec` does, under the codec's name. */
export class Described<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>, unknown> {
  readonly _tag = 'Described';

  constructor(
    readonly codec: C,
    readonly description: string,
    /** What this project decided about the value where the contract is silent; `null`: nothing. */
    readonly decision: string | null,
  ) {
    super(codec.name, codec.is, codec.validate, codec.encode);
  }
}

/** `codec` with a description and, where the contract is silent about the value, our decision. */
export const described = <C extends t.Mixed>(
  codec: C,
  description: string,
  decision: string | null = null,
): Described<C> => new Described(codec, description, decision);
