import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { UnknownKey } from './unknown-key.js';

/**
 * An object with these properties and no others. Where `t.strict` drops a key it does not know, this refuses it: in data
 * that people write by hand such a key is a spelling mistake, and dropping it would lose what it holds.
 */
export class StrictObject<P extends t.Props> extends t.Type<t.TypeOfProps<P>, t.OutputOfProps<P>, unknown> {
  readonly _tag = 'Closed';

  constructor(
    readonly props: P,
    name: string,
  ) {
    const strict = t.strict(props, name);
    super(
      name,
      (u): u is t.TypeOfProps<P> => strict.is(u) && unknownKeys(props, u).length === 0,
      (u, c) => {
        const decoded = strict.validate(u, c);
        const unknown = unknownKeys(props, u).map((key) => unknownKey(props, u, key, c));
        if (unknown.length === 0) return decoded;
        return t.failures(E.isLeft(decoded) ? [...decoded.left, ...unknown] : unknown);
      },
      strict.encode,
    );
  }
}

const unknownKeys = (props: t.Props, u: unknown): readonly string[] =>
  t.UnknownRecord.is(u) ? Object.keys(u).filter((key) => !Object.hasOwn(props, key)) : [];

const unknownKey = (props: t.Props, u: unknown, key: string, context: t.Context): t.ValidationError => {
  const value = t.UnknownRecord.is(u) ? u[key] : undefined;
  return {
    value,
    context: t.appendContext(context, key, new UnknownKey(key, Object.keys(props)), value),
  };
};
