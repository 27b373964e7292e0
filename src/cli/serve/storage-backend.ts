import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { errorCode } from '../../common/replace-file.js';
import { openOwnStorage, reasonOf } from '../../storage-kit/own/open-own-storage.js';
import { displayPath } from '../output/text.js';
import { type BackendDependencies, type OpenedBackend, shippedAccounts } from './backend.js';
import type { ServeSettings } from './serve-options.js';
import { signUpBanner } from './start-messages.js';

/** The default export of a module that makes a storage. `left`: why there is none, in one line. */
const loadStorageModule = async (path: string): Promise<E.Either<string, unknown>> => {
  const name = displayPath(path);
  const fail = (reason: string): E.Either<string, never> => E.left(`--storage ${name}: ${reason}`);
  const found = await kindOf(path);
  if (found !== 'file') return fail(found);
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    return fail(`cannot be loaded: ${loadingFailure(cause)}`);
  }
  const exported = Object.keys(loaded).filter((key) => key !== 'default' && key !== 'module.exports');
  const { default: made } = loaded;
  if (made !== undefined) return E.right(compiledDefault(made));
  const hint = exported.length === 0 ? 'it exports nothing' : `it exports ${exported.join(', ')}`;
  return fail(`no default export (${hint}); expected a function that makes a storage`);
};

const kindOf = async (path: string): Promise<string> => {
  try {
    return (await stat(path)).isFile() ? 'file' : 'is not a file; name the module itself';
  } catch (cause) {
    return errorCode(cause) === 'ENOENT' ? 'there is no such file' : reasonOf(cause);
  }
};

/** A module that was compiled from ES syntax to CommonJS has its default export one level deeper. */
const compiledDefault = (made: unknown): unknown =>
  t.UnknownRecord.is(made) && made.__esModule === true && 'default' in made ? made.default : made;

const loadingFailure = (cause: unknown): string => {
  if (errorCode(cause) === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return 'this version of Node cannot load files of this type; for TypeScript, use Node 22.18 or later, or compile it to JavaScript';
  }
  // The place of a syntax error stands before the message.
  const place = cause instanceof SyntaxError ? /^file:.*/.exec(cause.stack ?? '')?.[0] : undefined;
  return place === undefined ? reasonOf(cause) : `${reasonOf(cause)} (${place})`;
};

/** Opens the storage that a module makes. */
export const openStorageBackend = async (
  path: string,
  settings: ServeSettings,
  { simulated, log }: BackendDependencies,
): Promise<OpenedBackend> => {
  const accounts = await shippedAccounts(settings);
  if (E.isLeft(accounts)) return accounts;
  const name = displayPath(path);
  const made = await loadStorageModule(path);
  if (E.isLeft(made)) return E.left([made.left]);
  const opened = await openOwnStorage(made.right, { clock: simulated.now, log });
  if (E.isLeft(opened)) return E.left(opened.left.map((reason) => `--storage ${name}: ${reason}`));
  const { storage, close } = opened.right;
  return E.right({
    ...accounts.right,
    storage,
    banner: (baseUrl) => signUpBanner(`data from the storage ${name}`, baseUrl),
    work: async () => {
      // The server answers 503 then, and goes on asking when somebody requests something.
      const ready = await storage.ready();
      if (E.isLeft(ready)) log('warn', 'the storage is not ready', { reason: ready.left._tag });
    },
    close,
  });
};
