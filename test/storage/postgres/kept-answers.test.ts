import test from 'ava';
import { compareInterleavings } from '../../operations/_interleavings.js';
import { connected, storageAt, withPostgres } from './_postgres.js';

const { filled } = withPostgres(test);

test('whatever happens in between, an answer is that of a server that keeps none', async (t) => {
  const url = await filled(t);
  const storage = storageAt(t, url);
  await connected(url, async (client) => {
    const open = async () => {
      await client.query('TRUNCATE triage.users CASCADE');
      const change = async (user: string, state: number): Promise<void> => {
        for (const statement of [
          'UPDATE triage.fix_drafts SET package = $1 WHERE user_id = $2',
          'UPDATE triage.pull_requests SET branch = $1 WHERE user_id = $2',
          'UPDATE triage.repos SET owner = $1 WHERE user_id = $2',
        ])
          await client.query(statement, [`${user} ${state}`, user]);
      };
      return { storage, change };
    };
    const hits = await compareInterleavings(t, open, 30);
    t.true(hits > 50, `${hits} kept answers were used`);
  });
});
