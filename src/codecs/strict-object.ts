import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { didYouMean } from '../common/did-you-mean.js';

/**
 * An object with these properties and no others. `t.strict` drops unknown keys; this codec refuses them,
 * because in data written by hand an unknown key is a spelling mistake, and dropping it would lose its value.
 */
export class StrictObject<P extends t.Props> extends t.Type<t.TypeOfProps<P>, t.OutputOfProps<P>, unknown> {
  readonly _tag = 'StrictObject';

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
        const unknown = unknownKeys(props, u).map((key) => unknownKeyError(props, u, key, c));
        if (unknown.length === 0) return decoded;
        return t.failures(E.isLeft(decoded) ? [...decoded.left, ...unknown] : unknown);
      },
      strict.encode,
    );
  }
}

/** Marks a decoding error as an unknown key; its name is the message. It accepts no value. */
export class UnknownKey extends t.Type<never, never, unknown> {
  readonly _tag = 'UnknownKey';

  constructor(key: string, known: readonly string[]) {
    const hint = didYouMean(key, known);
    super(
      `unknown key${hint === '' ? `; known keys are ${known.join(', ')}` : hint}`,
      (_u): _u is never => false,
      (u, c) => t.failure(u, c),
      t.identity,
    );
  }
}

const unknownKeys = (props: t.Props, u: unknown): readonly string[] =>
  t.UnknownRecord.is(u) ? Object.keys(u).filter((key) => !Object.hasOwn(props, key)) : [];

const unknownKeyError = (props: t.Props, u: unknown, key: string, context: t.Context): t.ValidationError => {
  const value = t.UnknownRecord.is(u) ? u[key] : undefined;
  return {
    value,
    context: t.appendContext(context, key, new UnknownKey(key, Object.keys(props)), value),
  };
};
