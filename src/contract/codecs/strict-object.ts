import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { didYouMean } from '../../common/messages.js';

/**
 * An object with these properties and no others. `t.strict` drops unknown keys; this codec refuses them,
 * because in data written by hand an unknown key is a spelling mistake, and dropping it would lose its value.
 */
export class StrictObject<P extends t.Props> extends t.Type<t.TypeOfProps<P>, t.OutputOfProps<P>, unknown> {
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
        const unknown = unknownKeys(props, u).map((key) => {
          const value = t.UnknownRecord.is(u) ? u[key] : undefined;
          // `problemsOf` knows an unknown key by the codec `never`.
          const context = t.appendContext(c, key, t.never, value);
          return { value, context, message: unknownKeyMessage(key, Object.keys(props)) };
        });
        if (unknown.length === 0) return decoded;
        return t.failures(E.isLeft(decoded) ? [...decoded.left, ...unknown] : unknown);
      },
      strict.encode,
    );
  }
}

const unknownKeys = (props: t.Props, u: unknown): readonly string[] =>
  t.UnknownRecord.is(u) ? Object.keys(u).filter((key) => !Object.hasOwn(props, key)) : [];

const unknownKeyMessage = (key: string, known: readonly string[]): string =>
  `unknown key${didYouMean(key, known) || `; known keys are ${known.join(', ')}`}`;
