import test from 'ava';
import { startTriageApi } from '../src/testing/server.js';
import { block, documentText } from './_documented.js';
import { exampleFiles } from './_examples.js';

/** A text in which everything that is made at random looks the same. */
const withoutChance = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' &&
    ['id', 'userId', 'email', 'session', 'token', 'password', 'createdAt', 'expiresAt'].includes(key)
      ? value
          .replace(/^\d{4}-.*Z$/, '…')
          .replace(/[\w-]{43}$|(?<=^usr_)[\w-]{12}$|(?<=-)[0-9a-f]{16}(?=@)/, '…')
      : value,
  );

test('the tenant that simulate.md shows is made', async (t) => {
  const { url, stop } = await startTriageApi({ now: '2026-11-20T12:00:00Z' });
  t.teardown(stop);
  const [command = '', ...output] = block(documentText('simulate.md'), 'console tenants').split('\n');
  const [, type = '', body = '', path = ''] =
    /^\$ curl -H 'Content-Type: (.*?)' -d '(.*)' 'http:\/\/127\.0\.0\.1:4000(.*)'$/.exec(command) ?? [];
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers: { 'Content-Type': type }, body });
  t.deepEqual(withoutChance(await answer.text()), withoutChance(output.join('\n')));
});

test('the page on verify shows the example that is run with Pact’s verifier', (t) => {
  t.is(exampleFiles('pact')['verify.mjs'], block(documentText('verify.md'), 'js verify.mjs'));
});
