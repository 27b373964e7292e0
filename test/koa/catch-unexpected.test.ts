import test from 'ava';
import { serve } from '../_server.js';
import { acme } from './_world.js';

const broken = () => {
  throw new Error('broken');
};

for (const [where, over] of [
  ['the access log', { elapsed: broken }],
  ['the delay', { delay: broken }],
] as const) {
  test(`an error in ${where} is answered with the plain 500 and all headers, and logged`, async (t) => {
    const { ask, logged } = await serve(t, [acme], over);
    const { status, headers, body } = await ask('/api/v1/repos?token=hunter2');
    t.is(status, 500);
    t.deepEqual(body, { error: 'Internal server error' });
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.regex(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    t.truthy(headers.get('cache-control'));
    t.is(logged.length, 1);
    const { method, url } = logged[0]?.facts ?? {};
    t.deepEqual([method, url], ['GET', '/api/v1/repos']);
  });
}
