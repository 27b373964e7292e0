import * as t from 'io-ts';

/**
 * Whether decoding returns the very value for which `is` returns true. Then `is`, which allocates nothing,
 * can stand in for decoding wherever it accepts. False for a codec that converts, strips keys or is unknown.
 */
export const keepsValues = (codec: t.Mixed): boolean => {
  if ('keepsValues' in codec) return codec.keepsValues === true;
  if (codec instanceof t.ReadonlyArrayType) return keepsValues(codec.type);
  return (
    codec instanceof t.StringType ||
    codec instanceof t.NumberType ||
    codec instanceof t.BooleanType ||
    codec instanceof t.LiteralType ||
    codec instanceof t.KeyofType
  );
};

/**
 * Whether a value of this codec is or holds a secret: who wrote `["token"]` meant `[{"token": "token"}]`.
 * Each codec says so of itself, so that decoding needs none of the classes that a front end does not use.
 */
export const holdsSecret = (codec: object): boolean => {
  if ('holdsSecret' in codec) return codec.holdsSecret === true;
  return codec instanceof t.ReadonlyArrayType && holdsSecret(codec.type);
};

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

/** Text for which the contract lists no values (sections 2.1 to 2.3). */
export const freeForm = (description: string) =>
  described(t.string, description, 'Any text, served as stored.');

/** A value or null. Unlike with a union, errors inside the value keep their path. */
export class Nullable<A, O> extends t.Type<A | null, O | null, unknown> {
  readonly _tag = 'Nullable';
  readonly keepsValues: boolean;
  readonly holdsSecret: boolean;

  constructor(readonly codec: t.Type<A, O>) {
    super(
      `${codec.name} or null`,
      (u): u is A | null => u === null || codec.is(u),
      (u, c) => (u === null ? t.success(null) : codec.validate(u, c)),
      (a) => (a === null ? null : codec.encode(a)),
    );
    this.keepsValues = keepsValues(codec);
    this.holdsSecret = holdsSecret(codec);
  }
}

/** A `codec` value or null. */
export const nullable = <A, O>(codec: t.Type<A, O>): Nullable<A, O> => new Nullable(codec);

/** A value or `undefined`. */
export class Optional<A, O> extends t.Type<A | undefined, O | undefined, unknown> {
  readonly _tag = 'Optional';
  readonly keepsValues: boolean;
  readonly holdsSecret: boolean;

  constructor(readonly codec: t.Type<A, O>) {
    super(
      codec.name,
      (u): u is A | undefined => u === undefined || codec.is(u),
      (u, c) => (u === undefined ? t.success(undefined) : codec.validate(u, asContextOf(codec, c))),
      (a) => (a === undefined ? undefined : codec.encode(a)),
    );
    this.keepsValues = keepsValues(codec);
    this.holdsSecret = holdsSecret(codec);
  }
}

/** Attributes errors to `codec`, so that `problemsOf` recognizes a secret and does not quote it. */
const asContextOf = (codec: t.Mixed, context: t.Context): t.Context => {
  const last = context.at(-1);
  return last === undefined ? context : [...context.slice(0, -1), { ...last, type: codec }];
};

/** A `codec` value, which may be missing. */
export const optional = <A, O>(codec: t.Type<A, O>): Optional<A, O> => new Optional(codec);

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
