import * as E from 'fp-ts/lib/Either.js';
import type { Send } from '../../src/client/http.js';
import type { Dataset } from '../../src/records/dataset.js';
import { serve, type TestLife } from '../_server.js';
import { aFixtureStorage } from '../_storage.js';
import { sendTo, world } from './_judge.js';
import type { Real } from './_mutation.js';

/** The data of a server at a point in time: rows come, go and change with every version. */
export type Versions = (version: number) => readonly Dataset[];

/** One finding is gone with each version, and CI and the states of all pull requests go on. */
export const evolving: Versions = (version) =>
  world.map((tenant) => {
    const fixDrafts = tenant.fixDrafts
      .filter((_, index) => index % 97 !== version % 97)
      .map((draft) => ({ ...draft, ciStatus: `run ${version}` }));
    const ids = new Set(fixDrafts.map(({ id }) => id));
    const states = tenant.pullRequests.map(({ prState }) => prState);
    const pullRequests = tenant.pullRequests
      .map((pr, index) => ({ ...pr, prState: states[(index + version) % states.length] ?? null }))
      .filter(({ draftId }) => ids.has(draftId));
    return { ...tenant, fixDrafts, pullRequests };
  });

/** Two states of the data in turn. */
export const alternating: Versions = (version) => evolving(version % 2);

/** A right server whose data has a new version with every so many requests. */
export const changingServer = async (life: TestLife, every: number, versions: Versions): Promise<Real> => {
  const { storage, replace } = aFixtureStorage(versions(0));
  const { url } = await serve(life, [], { storage });
  const send: Send = sendTo(url);
  let requests = 0;
  return async (request) => {
    requests += 1;
    if (requests % every === 0) replace(versions(requests / every));
    const answer = await send(request)();
    if (E.isLeft(answer)) throw new Error(answer.left._tag);
    return answer.right;
  };
};
