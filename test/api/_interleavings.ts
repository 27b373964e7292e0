import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { Storage } from '../../src/accounts/account-storage.js';
import { Identity, identitiesOf } from '../../src/api/call.js';
import { hashSecret } from '../../src/api/credentials.js';
import { endpoints } from '../../src/api/endpoint.js';
import { keptAnswers, roomForAnswers } from '../../src/api/kept-answers.js';
import type { ApiRequest, Notes } from '../../src/api/request.js';
import { operationRow, routeTable } from '../../src/api/routes.js';
import type { Clock } from '../../src/common/clock.js';
import { timestampAt } from '../../src/contract/codecs/timestamp.js';
import { newAccount, newApiToken, newSession } from '../../src/storage-kit/conformance/sample-tenants.js';
import { at, now } from '../_data.js';
import { runs } from '../_runs.js';

/** Answers requests over a storage, with so much room for answers. */
export const answersOver = (storage: Storage, clock: Clock, bytes: number) => {
  const room = roomForAnswers(bytes);
  const served = endpoints({ log: () => {}, strict: false, answering: keptAnswers(room) });
  const identities = identitiesOf(storage, clock);
  const { find } = routeTable(served.map(operationRow));
  const get = async (target: string, headers: Readonly<Record<string, string>>) => {
    const [path = '', querystring = ''] = target.split('?');
    const match = find('GET', path);
    const endpoint = served.find(({ operation }) => operation === match?.row.operation);
    if (match === null || endpoint === undefined) throw new Error(`no operation has the path ${path}`);
    const notes: Notes = {};
    const request: ApiRequest = { id: '', method: 'GET', path, querystring, headers, target, notes };
    const identity = new Identity(request, endpoint.operation.accepts, identities);
    const call = { request, params: match.params, identity, context: { storage, clock } };
    const { status, body } = await endpoint.respondTo(call);
    return { status, body: body.json, tenant: notes.tenantId };
  };
  return { get, figures: room.figures };
};

/** A storage whose rows can be changed besides, and a clock. */
export type World = Readonly<{
  storage: Storage;
  /** Changes what one finding, one pull request and one repository of a user show, into one of few states. */
  change: (user: string, state: number) => Promise<void>;
}>;

const users = ['ann', 'bob'] as const;
const secrets = ['first', 'second'] as const;
const paths = [
  '/api/v1/repos',
  '/api/v1/findings',
  '/api/v1/findings?limit=1&severity=high&unknown=1',
  '/api/v1/findings/same',
  '/api/v1/prs',
  '/api/v1/prs?status=closed',
];

type Step = Readonly<{
  what:
    | 'read'
    | 'change'
    | 'sign up'
    | 'delete'
    | 'log in'
    | 'log out'
    | 'mint'
    | 'revoke'
    | 'move the clock';
  user: (typeof users)[number];
  secret: (typeof secrets)[number];
  path: (typeof paths)[number];
  state: number;
}>;

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(
    { weight: 8, arbitrary: fc.constant('read' as const) },
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        'change' as const,
        'sign up' as const,
        'delete' as const,
        'log in' as const,
        'log out' as const,
        'mint' as const,
        'revoke' as const,
        'move the clock' as const,
      ),
    },
  ),
  user: fc.constantFrom(...users),
  secret: fc.constantFrom(...secrets),
  path: fc.constantFrom(...paths),
  state: fc.nat(2),
});

/** How the clock moves: back, too, and to where the words for "a minute ago" change. */
const moves = [-45_000, 30_000, 3_600_000];

/**
 * Compares answers of which some are kept with those of which none is, whatever happens in between: rows that
 * change and change back, sessions and tokens that end and begin anew as another user's, users who are
 * deleted and sign up again under the same id, and a clock that moves back and forth. Returns how many kept
 * answers were used.
 */
export const compareInterleavings = async (
  t: ExecutionContext,
  open: () => Promise<World>,
  numRuns: number,
): Promise<number> => {
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const { storage, change } = await open();
      let moment = at(now);
      const clock = (): number => moment;
      const [kept, fresh] = [answersOver(storage, clock, 2 ** 20), answersOver(storage, clock, 0)];
      for (const user of users) await storage.signUp(await newAccount(user), null);
      for (const { what, user, secret, path, state } of steps) {
        const own = { createdAt: timestampAt(moment), expiresAt: timestampAt(moment + 10_000_000) };
        if (what === 'change') await change(user, state);
        else if (what === 'sign up') await storage.signUp(await newAccount(user), null);
        else if (what === 'delete') await storage.deleteAccount({ userId: user });
        else if (what === 'log in')
          await storage.startSession(
            newSession(user, secret, { id: `${user}-${secret}`, ...own }),
            hashSecret(secret),
          );
        else if (what === 'log out') await storage.endSession(hashSecret(secret));
        else if (what === 'mint')
          await storage.addApiToken(newApiToken(user, secret, { id: `${user}-${secret}` }));
        else if (what === 'revoke')
          await storage.revokeApiToken({ userId: user }, `${user}-${secret}`, own.createdAt);
        else if (what === 'move the clock') moment += moves[state] ?? 0;
        else {
          // The session of a sign-up has the id of the user as its value.
          const sessions = [user, secret];
          for (const headers of [
            ...sessions.map((session) => ({ cookie: `session=${session}` })),
            { authorization: `Bearer ${secret}` },
          ])
            t.deepEqual(await kept.get(path, headers), await fresh.get(path, headers), JSON.stringify(steps));
        }
      }
      for (const { hits: more } of kept.figures().lookUps.values()) hits += more;
    }),
    runs(numRuns),
  );
  return hits;
};
