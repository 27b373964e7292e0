import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { didYouMean } from '../../common/messages.js';

/**
 * An object with no other properties than these. `t.strict` drops unknown keys; this codec refuses them,
 * because in data written by hand an unknown key is a spelling mistake, and dropping it would lose its value.
 */
export class ClosedObject<A, O> extends t.Type<A, O, unknown> {
  constructor(
    codec: t.Type<A, O>,
    readonly props: t.Props,
  ) {
    super(
      codec.name,
      (u): u is A => codec.is(u) && unknownKeys(props, u).length === 0,
      (u, c) => {
        const decoded = codec.validate(u, c);
        const keys = unknownKeys(props, u);
        const unknown = keys.slice(0, maxReportedKeys).map((key, index) => {
          const value = t.UnknownRecord.is(u) ? u[key] : undefined;
          // `problemsOf` knows an unknown key by the codec `never`.
          const context = t.appendContext(c, key, t.never, value);
          const others = index + 1 === maxReportedKeys ? keys.length - maxReportedKeys : 0;
          const more = others > 0 ? `; ${others} more unknown keys follow` : '';
          return { value, context, message: `${unknownKeyMessage(key, Object.keys(props))}${more}` };
        });
        if (unknown.length === 0) return decoded;
        return t.failures(E.isLeft(decoded) ? [...decoded.left, ...unknown] : unknown);
      },
      codec.encode,
    );
  }
}

/** An object with these properties and no others. */
export class StrictObject<P extends t.Props> extends ClosedObject<t.TypeOfProps<P>, t.OutputOfProps<P>> {
  constructor(
    override readonly props: P,
    name: string,
  ) {
    super(t.strict(props, name), props);
  }
}

/** So many unknown keys of an object are reported: to look for a similar name takes time for each. */
const maxReportedKeys = 20;

const unknownKeys = (props: t.Props, u: unknown): readonly string[] =>
  t.UnknownRecord.is(u) ? Object.keys(u).filter((key) => !Object.hasOwn(props, key)) : [];

const unknownKeyMessage = (key: string, names: readonly string[]): string =>
  `unknown key${didYouMean(key, names) || `; known keys are ${names.join(', ')}`}`;
