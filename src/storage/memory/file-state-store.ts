import { isUtf8 } from 'node:buffer';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { UnknownRecord } from 'io-ts';
import { type Adapter, Low } from 'lowdb';
import * as E from '#fp-ts/Either';
import { sha256Hex } from '#platform';
import { inTurn, limitConcurrency } from '../../common/concurrency.js';
import type { Log } from '../../common/log.js';
import { removeFile, replaceFile, whileBusy } from '../../common/replace-file.js';
import { pointer, problemsOf } from '../../contract/codecs/problem.js';
import type { FolderLock } from './folder-lock.js';
import {
  Account,
  type AccountState,
  isEmptyAccount,
  ownsItsRecords,
  type StateStore,
  stateStore,
} from './state-store.js';

/** The lock under which a folder is written: the part of `FolderLock` that a store needs. */
export type StateLock = Pick<FolderLock, 'assertHeld'>;

export type FileStateOptions = Readonly<{
  /** Left out for a folder that nobody else uses. */
  lock?: StateLock;
  log?: Log;
  /** Completes the rows of a sign-up, which lack a field if an earlier version has written them. */
  completeKept?: (rows: unknown, asOf: unknown) => unknown;
  /** How a file is replaced: for tests. */
  replace?: (file: string, text: string) => Promise<void>;
}>;

type LoadOptions = Required<Pick<FileStateOptions, 'log' | 'completeKept'>>;

/**
 * A store in a folder, with a file for each account of which something is kept: what a change costs does not
 * depend on how many there are. A change is on the disk before it is current. A file that is damaged is set
 * aside, and costs nobody else an account. `left`: why the folder cannot be used.
 */
export const fileStateStore = async (
  folder: string,
  { lock, log = () => {}, completeKept = (rows) => rows, replace = replaceFile }: FileStateOptions = {},
): Promise<E.Either<readonly string[], StateStore>> => {
  const write = async (account: Account): Promise<void> => {
    const file = join(folder, fileName(account.userId));
    if (isEmptyAccount(account)) await removeFile(file);
    else await new Low(accountFile(file, replace), account).write();
  };
  const lookingAtLock = inTurn();
  const restore = async ({ accounts }: AccountState): Promise<void> => {
    for (const account of accounts.values()) await write(account);
  };
  try {
    const accounts = await loadAccounts(folder, { log, completeKept });
    const store = stateStore(accounts, async (account, state) => {
      try {
        await lookingAtLock(async () => lock?.assertHeld(() => restore(state)));
        await write(account);
      } catch (cause) {
        throw failed(join(folder, fileName(account.userId)), 'written', cause);
      }
    });
    logSharedAddresses(store.current(), log);
    return E.right(store);
  } catch (error) {
    return E.left([error instanceof Error ? error.message : String(error)]);
  }
};

/** An id may hold any characters, such as `/`, or be a name that a system reserves. */
const fileName = (userId: string): string => `${sha256Hex(userId)}.json`;

const isAccountFile = (name: string): boolean => /^[0-9a-f]{64}\.json$/.test(name);

/** What was left by a process that was killed while it replaced a file. */
const isTemporaryFile = (name: string): boolean => /^[0-9a-f]{64}\.json\.[\w-]+\.tmp$/.test(name);

/** The file of an account, for lowdb, whose own adapter does not synchronize what it writes. */
const accountFile = (file: string, replace = replaceFile): Adapter<unknown> => ({
  read: async () => {
    const bytes = await whileBusy(() => readFile(file));
    if (!isUtf8(bytes)) throw new SyntaxError();
    return JSON.parse(bytes.toString('utf8'));
  },
  write: (account) => replace(file, JSON.stringify(account)),
});

/** Reads all accounts, 16 at once. Whatever else is in the folder is ignored. */
const loadAccounts = async (folder: string, options: LoadOptions): Promise<readonly Account[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const name of names.filter(isTemporaryFile)) await removeFile(join(folder, name));
  const limited = limitConcurrency(16);
  const loaded = await Promise.all(
    names.filter(isAccountFile).map((name) => limited(() => loadAccount(folder, name, options))),
  );
  return loaded.filter((account) => account !== null);
};

/** Null if the file is damaged; it is then set aside. */
const loadAccount = async (
  folder: string,
  name: string,
  { log, completeKept }: LoadOptions,
): Promise<Account | null> => {
  const file = join(folder, name);
  const low = new Low<unknown>(accountFile(file), null);
  let problem = 'it is not JSON';
  try {
    await low.read();
    const kept = Account.decode(low.data);
    const account = E.isRight(kept) ? kept : Account.decode(withCompleteRows(low.data, completeKept));
    if (E.isLeft(account)) {
      const [first] = problemsOf(account.left);
      problem = `wrong value at ${pointer(first?.path ?? [])}`;
    } else if (fileName(account.right.userId) === name && ownsItsRecords(account.right)) {
      return account.right;
    } else problem = 'it belongs to another account';
  } catch (error) {
    // The content may be right, so that nobody may take the address of the account meanwhile.
    if (!(error instanceof SyntaxError)) throw failed(file, 'read', error);
  }
  const aside = `${file}.damaged`;
  await rename(file, aside).catch((cause) => {
    throw failed(file, 'set aside', cause);
  });
  const event = 'the file of an account is damaged and was set aside; all other accounts are there';
  log('error', event, { file, aside, problem });
  return null;
};

const withCompleteRows = (account: unknown, completeKept: LoadOptions['completeKept']): unknown => {
  if (!UnknownRecord.is(account) || !UnknownRecord.is(account.signUp)) return account;
  const { signUp } = account;
  return { ...account, signUp: { ...signUp, rows: completeKept(signUp.rows, signUp.asOf) } };
};

const logSharedAddresses = ({ userIds }: AccountState, log: Log): void => {
  const event = 'accounts have the same e-mail address; logins with it go to the one that signed up first';
  for (const [userId, ...others] of userIds.values())
    if (others.length > 0) log('warn', event, { userId, others });
};

const failed = (file: string, what: string, cause: unknown): Error => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${file}: the file cannot be ${what}: ${reason}`, { cause });
};
