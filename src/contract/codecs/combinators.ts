import * as t from 'io-ts';

/** A codec with a description for people. It behaves exactly as `codec` does, and has the same name. */
export class Described<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>, unknown> {
  readonly _tag = 'Described';

  constructor(
    readonly codec: C,
    readonly description: string,
    /** What this project decided about the value where the contract is silent; `null` if nothing. */
    readonly decision: string | null,
    /** A value for documents, where responses to the shipped data have none. */
    readonly example: string | number | null,
  ) {
    super(codec.name, codec.is, codec.validate, codec.encode);
  }
}

/** Adds a description to a codec, what this project decided about the value, and an example. */
export const described = <C extends t.Mixed>(
  codec: C,
  description: string,
  decision: string | null = null,
  example: string | number | null = null,
): Described<C> => new Described(codec, description, decision, example);

/** Adds the description of another codec to a codec, followed by more sentences if given. */
export const describedAs = <C extends t.Mixed>(
  { description }: Readonly<{ description: string }>,
  codec: C,
  more = '',
): Described<C> => described(codec, more === '' ? description : `${description} ${more}`);

/** What is decided about text for which the contract lists no values. */
export const servedAsStored = 'Any text, served as stored.';

/** Text for which the contract lists no values (sections 2.1 to 2.3). */
export const freeForm = (description: string) => described(t.string, description, servedAsStored);

/** A value or null. Unlike with a union, errors inside the value keep their path. */
export class Nullable<A, O> extends t.Type<A | null, O | null, unknown> {
  constructor(readonly codec: t.Type<A, O>) {
    super(
      `${codec.name} or null`,
      (u): u is A | null => u === null || codec.is(u),
      (u, c) => (u === null ? t.success(null) : codec.validate(u, c)),
      (a) => (a === null ? null : codec.encode(a)),
    );
  }
}

export const nullable = <A, O>(codec: t.Type<A, O>): Nullable<A, O> => new Nullable(codec);

export class Optional<A, O> extends t.Type<A | undefined, O | undefined, unknown> {
  constructor(readonly codec: t.Type<A, O>) {
    super(
      codec.name,
      (u): u is A | undefined => u === undefined || codec.is(u),
      (u, c) => (u === undefined ? t.success(undefined) : codec.validate(u, c)),
      (a) => (a === undefined ? undefined : codec.encode(a)),
    );
  }
}

export const optional = <A, O>(codec: t.Type<A, O>): Optional<A, O> => new Optional(codec);

/** One of the keys of a table. Messages list them. */
export const oneOf = <K extends Readonly<Record<string, unknown>>>(table: K): t.KeyofC<K> =>
  t.keyof(table, `one of ${Object.keys(table).join(', ')}`);

/** A list of `codec` values, with a readable name for error messages. */
export const listOf = <C extends t.Mixed>(codec: C): t.ReadonlyArrayC<C> =>
  t.readonlyArray(codec, `array of ${codec.name}`);

/** A list that may be missing; it then decodes to an empty list. */
export class OptionalList<C extends t.Mixed> extends t.Type<
  readonly t.TypeOf<C>[],
  readonly t.OutputOf<C>[],
  unknown
> {
  constructor(readonly codec: t.ReadonlyArrayC<C>) {
    super(
      codec.name,
      codec.is,
      (u, c) => (u === undefined ? t.success([]) : codec.validate(u, c)),
      codec.encode,
    );
  }
}

export const optionalList = <C extends t.Mixed>(codec: C): OptionalList<C> => new OptionalList(listOf(codec));

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
