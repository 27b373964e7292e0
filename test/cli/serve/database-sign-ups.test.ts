import test from 'ava';
import { cookie } from '../../_server.js';
import { withPostgres } from '../../storage/postgres/_postgres.js';
import { listen } from '../_cli.js';

const { database } = withPostgres(test);

/** Signs up and returns the session. */
const signUp = async (url: string, name: string): Promise<string> => {
  const { headers } = await fetch(`${url}/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: `${name}@new.test`, name, password: 'a-long-enough-one' }),
  });
  return /session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';
};

for (const [words, expected, removed] of [
  [[], [200, 200, 200], 0],
  [['--max-signups', '1'], [401, 401, 200], 2],
] as const) {
  test(`serve ${words.join(' ')} with a database: of three sign-ups, ${3 - removed} remain`, async (t) => {
    const server = await listen(t, [
      ...['--database-url', await database(t), '--database-timeout', '30000'],
      ...words,
    ]);
    const sessions: string[] = [];
    for (const name of ['ann', 'bob', 'cy']) sessions.push(await signUp(server.url, name));
    const statuses: number[] = [];
    for (const session of sessions) {
      statuses.push((await fetch(`${server.url}/api/v1/repos`, cookie(session))).status);
    }
    t.deepEqual(statuses, [...expected]);
    t.is(server.err().match(/the oldest signed-up tenant was removed/g)?.length ?? 0, removed);
  });
}
