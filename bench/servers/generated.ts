import { parseArgs } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { hashSecret } from '../../src/accounts/secrets.js';
import { timestampAt } from '../../src/codecs/timestamp.js';
import { Dataset } from '../../src/records/dataset.js';
import { startServer } from '../../src/server/start-server.js';
import { fixtureStorage } from '../../src/storage/fixtures/fixture-storage.js';
import { memoryStateStore } from '../../src/storage/fixtures/state-store.js';
import { aDraft, aPullRequest, aRepo, aSession, aUser } from '../../test/_data.js';
import { hashCheaply } from '../../test/_storage.js';

/**
 * Our server over generated data, more than one would like to write to files: tenants with a session
 * `bench-0`, `bench-1` … and as many findings and pull requests each.
 */
const { values } = parseArgs({ options: { tenants: { type: 'string' }, findings: { type: 'string' } } });

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const at = (i: number) => timestampAt(clock() - i * 1000);
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

const datasetOf = (tenant: number, findings: number): Dataset => {
  const decoded = Dataset.decode({
    user: aUser(`u${tenant}`),
    sessions: [aSession(`bench-${tenant}`)],
    repos: numbers(10).map((i) => aRepo(`r${i}`)),
    fixDrafts: numbers(findings).map((i) => aDraft(`d${i}`, `r${i % 10}`, { discoveredAt: at(i) })),
    pullRequests: numbers(findings).map((i) =>
      aPullRequest(`p${i}`, `d${i}`, { prState: i % 2 === 0 ? 'open' : null, createdAt: at(i) }),
    ),
  });
  if (E.isLeft(decoded)) throw new Error('the data of the benchmark is invalid');
  return decoded.right;
};

const { storage } = fixtureStorage(
  {
    clock,
    log: () => {},
    stateStore: memoryStateStore(),
    maxSignUps: 1,
    hashSecret,
    hashPassword: hashCheaply,
  },
  numbers(Number(values.tenants)).map((tenant) => datasetOf(tenant, Number(values.findings))),
);
const server = await startServer({ storage, clock, elapsed: () => performance.now() })();
if (E.isLeft(server)) throw new Error(server.left._tag);
process.stdout.write(`listening on ${server.right.url}\n`);
process.once('SIGTERM', () => process.exit());
