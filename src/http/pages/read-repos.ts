import { setImmediate } from 'node:timers/promises';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { decode } from '../../contract/decode.js';
import type { operations } from '../../contract/operations.js';
import { Repo } from '../../contract/repo.js';
import { type RepoChoice, repoChoice } from '../../pages/explorer/lists.js';
import type { PresentedCredentials } from '../../storage/port.js';
import type { ApiError, Handler } from '../operations/handler.js';
import { answerOf, type ReadFailure, readBody } from './read-operation.js';

type ListRepos = Handler<typeof operations.listConnectedRepos, ApiError>;

/** Reads the list of repositories, of any length. Its items are not decoded yet: few of them may be shown. */
export const readRepoItems = async (
  handler: ListRepos,
  credentials: PresentedCredentials,
): Promise<E.Either<ReadFailure, readonly unknown[]>> => {
  const read = await readBody(handler, { credentials, path: {}, query: {} });
  if (E.isLeft(read)) return read;
  return t.UnknownArray.is(read.right) ? E.right(read.right) : E.left(broken([]));
};

/** So many repositories are decoded before others have their turn. */
const inOneGo = 500;

/** Decodes repositories; a long list in several goes, with other requests in between. */
export const decodeRepos = async (
  items: readonly unknown[],
): Promise<E.Either<ReadFailure, readonly Repo[]>> => {
  const repos: Repo[] = [];
  for (let start = 0; start < items.length; start += inOneGo) {
    if (start > 0) await setImmediate();
    const decoded = decode(t.readonlyArray(Repo), items.slice(start, start + inOneGo));
    if (E.isLeft(decoded)) return E.left(broken(decoded.left));
    repos.push(...decoded.right);
  }
  return E.right(repos);
};

const broken = (problems: Extract<ReadFailure, { _tag: 'ContractBroken' }>['problems']): ReadFailure => ({
  _tag: 'ContractBroken',
  row: 'the answer of listConnectedRepos',
  problems,
});

const Named = t.type({ id: t.string, owner: t.string, repo: t.string });

/** Reads the names of repositories. */
export type ReadRepoNames = (
  credentials: PresentedCredentials,
) => Promise<E.Either<ReadFailure, readonly RepoChoice[]>>;

/**
 * Returns a function that reads the names of repositories, and remembers those of an answer for as long as
 * the API keeps it: parsing thousands of repositories for each page of findings would take too long.
 */
export const readRepoNames = (handler: ListRepos): ReadRepoNames => {
  const known = new WeakMap<object, readonly RepoChoice[]>();
  return async (credentials) => {
    const read = await answerOf(handler, { credentials, path: {}, query: {} });
    if (E.isLeft(read)) return read;
    const names = known.get(read.right) ?? namesIn(JSON.parse(read.right.json));
    known.set(read.right, names);
    return E.right(names);
  };
};

/** The names in a list of repositories; what has none is left out. */
const namesIn = (body: unknown): readonly RepoChoice[] =>
  t.UnknownArray.is(body) ? body.filter(Named.is).map(repoChoice) : [];
