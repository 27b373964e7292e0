import * as t from 'io-ts';
import { holdsSecret } from './holds-secret.js';
import { keepsValues } from './keeps-values.js';

/** A list that may be missing; it then decodes to an empty list. */
export class OptionalList<A, O> extends t.Type<readonly A[], readonly O[], unknown> {
  readonly _tag = 'OptionalList';
  readonly keepsValues: boolean;
  readonly holdsSecret: boolean;
  readonly list: t.Type<readonly A[], readonly O[]>;

  constructor(item: t.Type<A, O>) {
    const list = listOf(item);
    super(list.name, list.is, (u, c) => (u === undefined ? t.success([]) : list.validate(u, c)), list.encode);
    this.list = list;
    this.keepsValues = keepsValues(list);
    this.holdsSecret = holdsSecret(list);
  }
}

/** A list of `codec` values; empty if it is missing. */
export const optionalList = <A, O>(codec: t.Type<A, O>): OptionalList<A, O> => new OptionalList(codec);

/** A list of at most `maxItems` values. */
export class BoundedList<C extends t.Mixed> extends t.ReadonlyArrayType<
  C,
  readonly t.TypeOf<C>[],
  readonly t.OutputOf<C>[]
> {
  constructor(
    item: C,
    readonly maxItems: number,
  ) {
    const list = listOf(item);
    const fits = (items: readonly unknown[]): boolean => items.length <= maxItems;
    super(
      list.name,
      (u): u is readonly t.TypeOf<C>[] => list.is(u) && fits(u),
      (u, c) =>
        Array.isArray(u) && !fits(u)
          ? t.failure(u, c, `array of at most ${maxItems} items`)
          : list.validate(u, c),
      list.encode,
      item,
    );
  }
}

/** A list of `codec` values, with a readable name for error messages. */
export const listOf = <C extends t.Mixed>(codec: C): t.ReadonlyArrayC<C> => {
  const list = t.readonlyArray(codec, `array of ${codec.name}`);
  if (!keepsValues(codec)) return list;
  /** Unlike `every`, which io-ts uses, this looks at the holes of a sparse array too, as decoding does. */
  const accepts = (u: unknown): u is t.TypeOf<typeof list> => {
    if (!Array.isArray(u)) return false;
    for (const item of u) if (!codec.is(item)) return false;
    return true;
  };
  return new t.ReadonlyArrayType(
    list.name,
    list.is,
    (u, c) => (accepts(u) ? t.success(u) : list.validate(u, c)),
    list.encode,
    codec,
  );
};
