import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { aSession, aToken, aUser, dataset } from '../_data.js';
import { bySession, byToken } from '../_storage.js';
import { connected, storageAt, withPostgres } from '../postgres/_postgres.js';

const { filled } = withPostgres(test);

const page = fileURLToPath(new URL('../../../docs/security.md', import.meta.url));

test('the documented statements end the sessions and the tokens of one user, and no others', async (t) => {
  const text = await readFile(page, 'utf8');
  const statement = (info: string): string => text.split(`\`\`\`${info}\n`)[1]?.split('\n```')[0] ?? '';
  const url = await filled(
    t,
    dataset({
      user: { ...aUser('kim'), email: 'kim@team.test' },
      sessions: [aSession('kim-1'), aSession('kim-2')],
      apiTokens: [aToken('kim-token')],
    }),
    dataset({ user: aUser('lee'), sessions: [aSession('lee-1')], apiTokens: [aToken('lee-token')] }),
  );
  const storage = storageAt(t, url);
  // The clock of the database, which stamps the revocation, is ahead of the usual moment of tests.
  const later = '2999-01-01T00:00:00.000Z';
  const valid = async (): Promise<readonly string[]> => {
    const presented = [
      ...['kim-1', 'kim-2', 'lee-1'].map((value) => ({ value, by: bySession(value) })),
      ...['kim-token', 'lee-token'].map((value) => ({ value, by: byToken(value, later) })),
    ];
    const callers = presented.map(async ({ value, by }) => ({ value, caller: await storage.caller(by) }));
    return (await Promise.all(callers)).filter(({ caller }) => E.isRight(caller)).map(({ value }) => value);
  };
  t.deepEqual(await valid(), ['kim-1', 'kim-2', 'lee-1', 'kim-token', 'lee-token']);
  await connected(url, (client) => client.query(statement('sql sessions')));
  t.deepEqual(await valid(), ['lee-1', 'kim-token', 'lee-token']);
  await connected(url, (client) => client.query(statement('sql tokens')));
  t.deepEqual(await valid(), ['lee-1', 'lee-token']);
});
