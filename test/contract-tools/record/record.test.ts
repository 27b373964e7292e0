import test from 'ava';
import {
  failureOf,
  few,
  json,
  many,
  recordFrom,
  recordingOf,
  serverThatSends,
  serverWith,
  session,
} from './_recording.js';

test('a recording that reaches the limit of requests fails', async (t) => {
  const result = await recordFrom(
    serverWith(() => many),
    { maxRequests: 4 },
  );
  t.deepEqual(failureOf(result), ['4 requests (--max-requests) were not enough to read everything']);
});

test('a session that the server sends back is redacted in the file and the warnings', async (t) => {
  const lists = {
    ...few,
    findings: few.findings.map((finding) => ({
      ...finding,
      ciStatus: `by ${session}`,
      package: encodeURIComponent(session),
    })),
    prs: few.prs.map((pr) => ({ ...pr, package: encodeURIComponent(session) })),
  };
  const { text, warnings } = recordingOf(await recordFrom(serverWith(() => lists)));
  for (const written of [text, warnings.join()]) {
    t.false(written.includes(session) || written.includes(encodeURIComponent(session)), written);
  }
  t.deepEqual(warnings, ['responses contained the session; it was replaced by [secret]']);
});

test('a session whose slash is escaped in JSON is redacted', async (t) => {
  const text = JSON.stringify([{ ...few.repos[0], owner: session }]).replaceAll('/', '\\/');
  const send = serverThatSends(few, '/api/v1/repos', { ...json(null), text });
  t.false(recordingOf(await recordFrom(send)).text.includes(session));
});

test('fields that the contract does not define are not recorded, with a warning', async (t) => {
  const lists = { ...few, repos: few.repos.map((repo) => ({ ...repo, internal: 'x' })) };
  const { text, warnings } = recordingOf(await recordFrom(serverWith(() => lists)));
  t.false(text.includes('internal'));
  t.deepEqual(warnings, ['repos /*/internal: not recorded, because the contract does not define it']);
});
