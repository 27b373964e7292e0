import * as t from 'io-ts';

/** A list of `codec`; where it is left out, an empty one. */
export const listOrNone = <A, O>(codec: t.Type<A, O>): t.Type<readonly A[], readonly O[]> => {
  const list = listOf(codec);
  return new t.Type(
    list.name,
    list.is,
    (u, c) => (u === undefined ? t.success([]) : list.validate(u, c)),
    list.encode,
  );
};

/** A list of `codec`, named for people. */
export const listOf = <A, O>(codec: t.Type<A, O>): t.Type<readonly A[], readonly O[]> =>
  t.readonlyArray(codec, `array of ${codec.name}`);
