import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { ApiError, Handler } from '../../api/handler.js';
import { decode } from '../../contract/decode.js';
import type { operations } from '../../contract/operations.js';
import { Repo } from '../../contract/repo.js';
import type { RepoChoice } from '../../explorer/filters.js';
import { repoChoice } from '../../explorer/repo-names.js';
import type { PresentedCredentials } from '../../storage/port.js';
import { type ReadFailure, readBody } from './read-operation.js';

/** Reads the list of repositories, of any length. Its items are not decoded yet: few of them may be shown. */
export const readRepoItems = async (
  handler: Handler<typeof operations.listConnectedRepos, ApiError>,
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

/** The names of repositories; what has none is left out. */
export const repoChoices = (items: readonly unknown[]): readonly RepoChoice[] =>
  items.filter(Named.is).map(repoChoice);
