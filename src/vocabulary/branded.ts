import * as t from 'io-ts';

/** Text of one kind, told apart by its type. As `t.brand`, but with a name of its own, which error messages show. */
export const branded = <A extends string>(
  is: (text: string) => text is A,
  name: string,
): t.Type<A, string, unknown> =>
  new t.Type<A, string, unknown>(
    name,
    (u): u is A => typeof u === 'string' && is(u),
    (u, c) => (typeof u === 'string' && is(u) ? t.success(u) : t.failure(u, c)),
    t.identity,
  );
