import { inspect } from 'node:util';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { settledWithin } from '../common/concurrency.js';

/** How an operation breaks the form of the port: it is late, what it threw, or what else it did. */
type BrokenCall = Readonly<{ _tag: 'Late' | 'Threw' | 'Malformed'; cause: unknown }>;

/** Calls an operation, and looks at the form of what it does. */
export const settledCall = async <Args extends readonly unknown[], Err, A>(
  name: string,
  call: (...args: Args) => Promise<E.Either<Err, A>>,
  args: Args,
  timeLimit: number,
): Promise<E.Either<BrokenCall, E.Either<Err, A>>> => {
  const broken = (_tag: BrokenCall['_tag'], what: string): E.Either<BrokenCall, never> =>
    E.left({ _tag, cause: new Error(`the operation \`${name}\` of the storage ${what}`) });
  if (typeof call !== 'function') return broken('Malformed', 'is missing');
  try {
    const settled = await settledWithin(timeLimit, async () => ({ result: await call(...args) }));
    if (settled === null) return broken('Late', `did not settle within ${timeLimit / 1000} s`);
    const { result } = settled;
    if (EitherForm.is(result)) return E.right(result);
    return broken('Malformed', `resolved to ${briefly(result)}, not to an Either`);
  } catch (cause) {
    return E.left({ _tag: 'Threw', cause });
  }
};

const briefly = (value: unknown): string => inspect(value, { depth: 1, breakLength: Infinity });

const EitherForm = t.union([
  t.type({ _tag: t.literal('Right'), right: t.unknown }),
  t.type({ _tag: t.literal('Left'), left: t.unknown }),
]);
