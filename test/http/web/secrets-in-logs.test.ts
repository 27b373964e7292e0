import test from 'ava';
import { ann, json, serveWeb, sessionOf } from './_browserless.js';

test('session values, API tokens and passwords appear in no log', async (t) => {
  const { ask, logged, accessed, untilAccessed } = await serveWeb(t);
  const value = sessionOf(await ask('/signup', json(ann)));
  await ask('/login?password=hunter2', json({ email: 'ann@new.test', password: 'correct horse' }));
  await ask('/settings/api-tokens', json({ name: 'x' }, { Cookie: `session=${value}` }));
  await untilAccessed(3);
  t.is(accessed.length, 3);
  t.false(JSON.stringify([logged, accessed]).includes(value));
  t.notRegex(JSON.stringify([logged, accessed]), /horse|hunter2|triage_/);
});
