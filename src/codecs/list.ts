import * as t from 'io-ts';

/** A list that may be missing; it then decodes to an empty list. */
export class OptionalList<A, O> extends t.Type<readonly A[], readonly O[], unknown> {
  readonly _tag = 'OptionalList';
  readonly list: t.Type<readonly A[], readonly O[]>;

  constructor(item: t.Type<A, O>) {
    const list = listOf(item);
    super(list.name, list.is, (u, c) => (u === undefined ? t.success([]) : list.validate(u, c)), list.encode);
    this.list = list;
  }
}

/** A list of `codec` values; empty if it is missing. */
export const optionalList = <A, O>(codec: t.Type<A, O>): OptionalList<A, O> => new OptionalList(codec);

/** A list of `codec` values, with a readable name for error messages. */
export const listOf = <C extends t.Mixed>(codec: C): t.ReadonlyArrayC<C> =>
  t.readonlyArray(codec, `array of ${codec.name}`);
