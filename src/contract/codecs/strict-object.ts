import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { didYouMean } from '../../common/messages.js';
import { holdsSecret, keepsValues } from './combinators.js';
import { UnknownKey } from './problem.js';

/**
 * An object with these properties and no others. `t.strict` drops unknown keys; this codec refuses them,
 * because in data written by hand an unknown key is a spelling mistake, and dropping it would lose its value.
 */
export class StrictObject<P extends t.Props> extends t.Type<t.TypeOfProps<P>, t.OutputOfProps<P>, unknown> {
  readonly _tag = 'StrictObject';
  readonly keepsValues: boolean;
  readonly holdsSecret: boolean;

  constructor(
    readonly props: P,
    name: string,
  ) {
    const strict = t.strict(props, name);
    const keeps = Object.values(props).every(keepsValues);
    const hasExactly = exactCheck(props);
    const isExactly = (u: unknown): u is t.TypeOfProps<P> => t.UnknownRecord.is(u) && hasExactly(u);
    super(
      name,
      (u): u is t.TypeOfProps<P> => isExactly(u) || (strict.is(u) && unknownKeys(props, u).length === 0),
      (u, c) => {
        if (keeps && isExactly(u)) return t.success(u);
        const decoded = strict.validate(u, c);
        const unknown = unknownKeys(props, u).map((key) => unknownKeyError(props, u, key, c));
        if (unknown.length === 0) return decoded;
        return t.failures(E.isLeft(decoded) ? [...decoded.left, ...unknown] : unknown);
      },
      strict.encode,
    );
    this.keepsValues = keeps;
    this.holdsSecret = Object.values(props).some(holdsSecret);
  }
}

/**
 * A quick check that an object has all of the properties, with valid values, and no others. It may refuse
 * what the codec accepts, such as a missing property that is optional, but never the other way round.
 */
const exactCheck = (props: t.Props): ((u: Readonly<Record<string, unknown>>) => boolean) => {
  const keys = Object.keys(props);
  const checks = Object.values(props).map(({ is }) => is);
  const byKey = new Map(Object.entries(props).map(([key, { is }]) => [key, is]));
  return (u) => {
    // Counted first: a missing property must not cost a check of all rows of a list that is there.
    let size = 0;
    for (const _ in u) size += 1;
    if (size !== keys.length) return false;
    let index = 0;
    // `for in`, because the engine reads the properties fastest in their own order, mostly that of `props`.
    for (const key in u) {
      const check = key === keys[index] ? checks[index] : byKey.get(key);
      if (check === undefined || !check(u[key])) return false;
      index += 1;
    }
    return true;
  };
};

const unknownKeys = (props: t.Props, u: unknown): readonly string[] =>
  t.UnknownRecord.is(u) ? Object.keys(u).filter((key) => !Object.hasOwn(props, key)) : [];

const unknownKey = (key: string, known: readonly string[]): UnknownKey => {
  const hint = didYouMean(key, known);
  return new UnknownKey(`unknown key${hint === '' ? `; known keys are ${known.join(', ')}` : hint}`);
};

const unknownKeyError = (props: t.Props, u: unknown, key: string, context: t.Context): t.ValidationError => {
  const value = t.UnknownRecord.is(u) ? u[key] : undefined;
  return {
    value,
    context: t.appendContext(context, key, unknownKey(key, Object.keys(props)), value),
  };
};
