import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import { firstPage, resultOf, rowsFound } from '../../src/storage-kit/conformance/conformance-case.js';
import { newAccount } from '../../src/storage-kit/conformance/sample-tenants.js';
import { bySession } from '../_storage.js';
import { connected } from '../postgres/_postgres.js';
import { citusAt, clear, fillWorkers, untilReady, withCitus } from './_citus.js';

const { cluster, url } = withCitus(test);

test.serial.beforeEach(() => clear(url()));

const tagOf = async (storage: Storage, id: string): Promise<string> => {
  const found = await storage.repos(bySession(id));
  return E.isLeft(found) ? found.left._tag : 'answered';
};

const readiness = async (storage: Storage): Promise<string> => {
  const ready = await storage.ready();
  return E.isLeft(ready) ? ready.left._tag : (ready.right?._tag ?? 'ready');
};

const when = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Asks until this is the answer: on a busy machine, even a node that is there may not answer in time. */
const until = async (ask: () => Promise<string>, wanted: string): Promise<void> => {
  while ((await ask()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 100));
};

test.serial('a killed worker costs its own tenants 503 only, and they come back with it', async (t) => {
  const ids = await connected(url(), fillWorkers);
  const [left = '', gone = ''] = ids;
  const { storage } = citusAt(t, url(), { timeLimit: 5000 });
  t.deepEqual(await Promise.all(ids.map((id) => tagOf(storage, id))), ['answered', 'answered']);
  await cluster().kill(2);
  t.is(await tagOf(storage, gone), 'StorageUnavailable');
  t.is(await tagOf(storage, left), 'answered');
  await until(() => readiness(storage), 'WorkersAway');
  t.deepEqual(await resultOf(storage.user({ userId: gone })), {
    id: gone,
    email: `${gone}@test.test`,
    name: gone,
  });
  await cluster().restart(2);
  await until(() => tagOf(storage, gone), 'answered');
  t.is(await tagOf(storage, left), 'answered');
  await untilReady(storage);
});

test.serial('a frozen worker keeps only its own tenants from an answer, until it goes on', async (t) => {
  const [left = '', frozen = ''] = await connected(url(), fillWorkers);
  const { storage } = citusAt(t, url(), { timeLimit: 2000 });
  t.is(await tagOf(storage, frozen), 'answered');
  const thaw = await cluster().freeze(2);
  try {
    // More queries than there are connections.
    const asked = Promise.all(Array.from({ length: 20 }, () => tagOf(storage, frozen)));
    for (let i = 0; i < 20; i += 1) t.is(await tagOf(storage, left), 'answered');
    t.deepEqual([...new Set(await asked)], ['StorageUnavailable']);
    await until(() => readiness(storage), 'WorkersAway');
    t.is(await tagOf(storage, left), 'answered');
  } finally {
    await thaw();
  }
  await until(() => tagOf(storage, frozen), 'answered');
});

test.serial('a worker that is killed during sign-ups leaves no account without its rows', async (t) => {
  const { storage } = citusAt(t, url(), { timeLimit: 5000 });
  const results: boolean[] = [];
  let isOver = false;
  const signUp = async (): Promise<void> => {
    while (!isOver) {
      const id = `new${results.length}_${Math.random().toString(36).slice(2)}`;
      results.push(E.isRight(await storage.signUp(await newAccount(id), null)));
    }
  };
  const signingUp = Promise.all(Array.from({ length: 6 }, signUp));
  await when(() => results.filter((isCreated) => isCreated).length >= 20);
  await cluster().kill(2);
  await when(() => results.includes(false));
  isOver = true;
  await signingUp;
  await cluster().restart(2);
  await untilReady(storage);
  await connected(url(), async (client) => {
    const { rows: users } = await client.query('SELECT id FROM triage.users ORDER BY id');
    const { rows: owners } = await client.query('SELECT DISTINCT user_id AS id FROM triage.repos');
    const ids = owners.map(({ id }) => id);
    t.true(users.length >= results.filter((isCreated) => isCreated).length);
    t.deepEqual(
      users.filter(({ id }) => !ids.includes(id)),
      [],
    );
  });
});

test.serial('a shard that moves to another worker under load loses no answer and no row', async (t) => {
  const [, moving = ''] = await connected(url(), fillWorkers);
  const { storage } = citusAt(t, url());
  let isMoving = true;
  const answers: string[] = [];
  const read = async () => {
    while (isMoving) {
      const found = await storage.findings(bySession(moving), firstPage);
      answers.push(
        E.isLeft(found)
          ? JSON.stringify(found.left)
          : ('rows' in found.right ? found.right.rows.total : Number.NaN) > 0
            ? 'answered'
            : 'empty',
      );
    }
  };
  let written = 0;
  const write = () =>
    connected(url(), async (client) => {
      while (isMoving) {
        await client.query(
          `INSERT INTO triage.fix_drafts
           SELECT $1, 'n' || $2::text, 'r', 'A', '', '', '', '', 'low', 0, 0, 'pending', '', now(), now()`,
          [moving, written],
        );
        written += 1;
      }
    });
  const load = Promise.all([read(), read(), write()]);
  try {
    await connected(url(), async (client) => {
      const { rows } = await client.query(
        `SELECT get_shard_id_for_distribution_column('triage.repos', $1::text) AS shard, n.nodeport AS port,
         (SELECT o.nodeport FROM pg_dist_node o WHERE o.groupid NOT IN (0, n.groupid)) AS other
       FROM pg_dist_node n JOIN pg_dist_placement p USING (groupid)
       WHERE p.shardid = get_shard_id_for_distribution_column('triage.repos', $1::text)`,
        [moving],
      );
      const { shard, port, other } = rows[0];
      await client.query(
        "SELECT citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')",
        [shard, port, other],
      );
    });
    const [answered, inserted] = [answers.length, written];
    await Promise.race([load, when(() => answers.length > answered + 10 && written > inserted + 10)]);
  } finally {
    isMoving = false;
  }
  await load;
  t.deepEqual([...new Set(answers)], ['answered']);
  t.is((await rowsFound(storage.findings(bySession(moving), firstPage))).total, written + 1);
});
