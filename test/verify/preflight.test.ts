import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { HttpResponse, Send } from '../../src/client/http.js';
import { serve } from '../_server.js';
import { idsOf, judge, secrets, sendTo, tryToJudge, world } from './_judge.js';
import { answers, failures, type Mutation, mutated, remembering } from './_mutation.js';

/** A server that answers everything in the same way. */
const always =
  (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Send =>
  () =>
    TE.right<never, HttpResponse>({ status, text, headers });

const html = '<!doctype html><title>Hello</title>';

const strangers: readonly (readonly [name: string, Send, url: string, line: string])[] = [
  [
    'HTML',
    always(200, html, { 'content-type': 'text/html' }),
    'http://judged.test',
    '--url: no response looks like the API v1 (200 with HTML); pass the URL under which the server has /api/v1/repos',
  ],
  [
    'JSON of something else',
    always(200, '{"hello":"world"}'),
    'http://judged.test',
    '--url: no response looks like the API v1 (200); pass the URL under which the server has /api/v1/repos',
  ],
  [
    'paths that are not found',
    always(404, '{"error":"Not found"}'),
    'http://judged.test/api/v1/',
    '--url: no response looks like the API v1 (404); pass the base URL of the server, without /api/v1',
  ],
  [
    'a redirection',
    always(302, '', { location: 'https://judged.test/login' }),
    'http://judged.test',
    '--url: no response looks like the API v1 (302); it redirects to https://judged.test/login: the URL may be another one, or the session may not be accepted',
  ],
];

for (const [name, send, url, line] of strangers) {
  test(`a server that is not this API: ${name}`, async (t) => {
    t.deepEqual(await tryToJudge(send, {}, { url }), E.left([line]));
  });
}

test('a redirection that repeats a credential is reported without it', async (t) => {
  const send = always(302, '', { location: `/login?next=${secrets.session}` });
  const result = await tryToJudge(send);
  t.false(JSON.stringify(result).includes(secrets.session));
});

const sessionHint =
  'it may have expired or belong to another server; the cookie may have another name (--cookie)';
const tokenHint = 'it may be revoked, have expired or belong to another server';

test('each credential that no operation accepts is named', async (t) => {
  const { url } = await serve(t, world);
  const send = sendTo(url);
  t.deepEqual(
    await tryToJudge(send, { session: 'acme-session-expired' }),
    E.left([`--session: no operation accepts it (401); ${sessionHint}`]),
  );
  t.deepEqual(
    await tryToJudge(send, { token: 'wrong-token', otherSession: 'wrong-session', otherToken: 'none' }),
    E.left([
      `--token: no operation accepts it (401); ${tokenHint}`,
      `--other-session: no operation accepts it (401); ${sessionHint}`,
      `--other-token: no operation accepts it (401); ${tokenHint}`,
    ]),
  );
  t.deepEqual(
    await tryToJudge(always(403, '{"error":"Forbidden"}'), {
      otherSession: undefined,
      otherToken: undefined,
    }),
    E.left([
      `--session: no operation accepts it (403); ${sessionHint}`,
      `--token: no operation accepts it (403); ${tokenHint}`,
    ]),
  );
});

/** Servers that are wrong in most operations, and nevertheless judged. */
const judged: Readonly<Record<string, readonly [Mutation, fails: string]>> = {
  'the session is refused by two operations': [
    (incoming, real) =>
      incoming.path.endsWith('/repos') || incoming.request.headers.Authorization !== undefined
        ? real(incoming.request)
        : real({ ...incoming.request, headers: {} }),
    'findings.page',
  ],
  'two operations are not found': [
    (incoming, real) =>
      incoming.path.endsWith('/prs')
        ? real(incoming.request)
        : real({ ...incoming.request, target: '/api/v1/nothing' }),
    'repos.array',
  ],
  'one operation refuses the token': [
    (incoming, real) =>
      incoming.path.endsWith('/prs') && incoming.request.headers.Authorization !== undefined
        ? real({ ...incoming.request, headers: {} })
        : real(incoming.request),
    'credentials.listPrs.bearer',
  ],
  'every response is a failure of the server': [
    failures('all', 200, { status: 500, text: html }),
    'repos.array',
  ],
  'every body is HTML but for one operation': [
    answers('all', (answer, { path }) => (path.endsWith('/prs') ? answer : { ...answer, text: html })),
    'service.json-body',
  ],
};

for (const [name, [mutation, fails]] of Object.entries(judged)) {
  test(`a server is judged although ${name}`, async (t) => {
    const { url } = await serve(t, world);
    const report = await judge(mutated(remembering(sendTo(url)), mutation));
    t.true(idsOf(report, 'failed').includes(fails), idsOf(report, 'failed').join(' '));
  });
}
