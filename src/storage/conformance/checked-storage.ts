import { AssertionError } from 'node:assert/strict';
import { inspect } from 'node:util';
import type * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import type { Storage } from '../port.js';

/**
 * A storage that answers as the given one does, and reports where that one breaks the form of the port: an
 * operation that is missing, throws or rejects, resolves to something else than an `Either`, or does not
 * settle within `timeLimit` milliseconds. Such an operation rejects; `stalled` keeps the names of those that
 * did not settle, which get less time from then on. Authors who do not use TypeScript make these mistakes
 * first.
 */
export const checkedStorage = (
  storage: Storage,
  {
    timeLimit,
    stalled,
    onFault,
  }: Readonly<{ timeLimit: number; stalled: Set<string>; onFault: (fault: Error) => void }>,
): Storage => {
  const faultOf = (name: string, what: string): Error => {
    const fault = new AssertionError({ message: `the operation \`${name}\` of the storage ${what}` });
    onFault(fault);
    return fault;
  };
  const checked =
    <Args extends readonly unknown[], Err, A>(name: string, call: (...args: Args) => TaskEither<Err, A>) =>
    (...args: Args): TaskEither<Err, A> =>
    async () => {
      if (typeof call !== 'function') throw faultOf(name, 'is missing');
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<typeof isLate>((resolve) => {
        timer = setTimeout(resolve, stalled.has(name) ? timeLimit / 50 : timeLimit, isLate);
      });
      let result: E.Either<Err, A> | typeof isLate;
      try {
        const task = call(...args);
        if (typeof task !== 'function') throw faultOf(name, `returned ${briefly(task)}, not a function`);
        result = await Promise.race([task(), late]);
      } catch (cause) {
        throw cause instanceof AssertionError ? cause : faultOf(name, `threw or rejected: ${inspect(cause)}`);
      } finally {
        clearTimeout(timer);
      }
      if (result === isLate) {
        stalled.add(name);
        throw faultOf(name, `did not settle within ${timeLimit / 1000} s`);
      }
      if (!isEither(result)) throw faultOf(name, `resolved to ${briefly(result)}, not to an Either`);
      return result;
    };
  return {
    caller: checked('caller', storage.caller),
    userByEmail: checked('userByEmail', storage.userByEmail),
    user: checked('user', storage.user),
    signUp: checked('signUp', storage.signUp),
    changePassword: checked('changePassword', storage.changePassword),
    deleteAccount: checked('deleteAccount', storage.deleteAccount),
    startSession: checked('startSession', storage.startSession),
    endSession: checked('endSession', storage.endSession),
    apiTokens: checked('apiTokens', storage.apiTokens),
    addApiToken: checked('addApiToken', storage.addApiToken),
    revokeApiToken: checked('revokeApiToken', storage.revokeApiToken),
    repos: checked('repos', storage.repos),
    findings: checked('findings', storage.findings),
    finding: checked('finding', storage.finding),
    prs: checked('prs', storage.prs),
    ready: checked('ready', storage.ready),
  };
};

const isLate = Symbol('late');

const briefly = (value: unknown): string => inspect(value, { depth: 1, breakLength: Infinity });

const isEither = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  ((value._tag === 'Right' && 'right' in value) || (value._tag === 'Left' && 'left' in value));
