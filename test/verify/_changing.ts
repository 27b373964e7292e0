import * as E from 'fp-ts/lib/Either.js';
import type { Send } from '../../src/client/http.js';
import type { Dataset } from '../../src/records/dataset.js';
import { serve, type TestLife } from '../_server.js';
import { aFixtureStorage } from '../_storage.js';
import { sendTo, world } from './_judge.js';
import { type Real, remembering } from './_mutation.js';

/** One finding is gone with each version, and CI and the states of all pull requests go on. */
const evolving = (version: number): readonly Dataset[] =>
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

/** A right server whose data has a new version with every so many requests. */
export const changingServer = async (life: TestLife, every: number): Promise<Real> => {
  const { storage, replace } = aFixtureStorage(evolving(0));
  const { url } = await serve(life, [], { storage });
  const send: Send = sendTo(url);
  let requests = 0;
  return async (request) => {
    requests += 1;
    if (requests % every === 0) replace(evolving(requests / every));
    const answer = await send(request)();
    if (E.isLeft(answer)) throw new Error(answer.left._tag);
    return answer.right;
  };
};

/** The same with two versions in turn. */
export const alternatingServer = async (life: TestLife, every: number): Promise<Real> => {
  const two = await Promise.all(
    [evolving(0), evolving(1)].map(async (datasets) =>
      remembering(sendTo((await serve(life, datasets)).url)),
    ),
  );
  let requests = 0;
  return (request) => {
    requests += 1;
    const server = two[Math.floor(requests / every) % two.length];
    return server === undefined ? Promise.reject(new Error('no server')) : server(request);
  };
};
