import * as t from 'io-ts';
import { holdsSecret } from './holds-secret.js';
import { keepsValues } from './keeps-values.js';

/** A codec with a description for people. It behaves exactly as `codec` does, and has the same name. */
export class Described<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>, unknown> {
  readonly _tag = 'Described';
  readonly keepsValues: boolean;
  readonly holdsSecret: boolean;

  constructor(
    readonly codec: C,
    readonly description: string,
    /** What this project decided about the value where the contract is silent; `null` if nothing. */
    readonly decision: string | null,
  ) {
    super(codec.name, codec.is, codec.validate, codec.encode);
    this.keepsValues = keepsValues(codec);
    this.holdsSecret = holdsSecret(codec);
  }
}

/** Adds a description to a codec, and what this project decided about the value. */
export const described = <C extends t.Mixed>(
  codec: C,
  description: string,
  decision: string | null = null,
): Described<C> => new Described(codec, description, decision);

/** Adds the description of another codec to a codec, followed by more sentences if given. */
export const describedAs = <C extends t.Mixed>(
  { description }: Readonly<{ description: string }>,
  codec: C,
  more = '',
): Described<C> => new Described(codec, more === '' ? description : `${description} ${more}`, null);
