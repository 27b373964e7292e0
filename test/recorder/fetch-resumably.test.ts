import test from 'ava';
import {
  aResumeLog,
  failureOf,
  few,
  json,
  listsOf,
  many,
  recordFrom,
  recordingOf,
  serverThatSends,
  serverWith,
  session,
  without,
} from './_recording.js';

test('after an interruption, saved responses are replayed and only the remaining requests are sent', async (t) => {
  const resumeLog = aResumeLog();
  const interrupted = serverWith(
    () => many,
    (_, count) => (count > 3 ? { _tag: 'Unreachable', reason: 'gone' } : undefined),
  );
  t.deepEqual(failureOf(await recordFrom(interrupted, { resumeLog })), {
    lines: ['no response: gone'],
    canResume: true,
  });
  t.is(resumeLog.appended.length, 3);

  const targets: string[] = [];
  const working = serverWith(
    () => many,
    (target) => {
      targets.push(target.href.slice('http://recorded.test/api/v1'.length));
      return undefined;
    },
  );
  const { dataset, requests } = recordingOf(
    await recordFrom(working, { resumeLog: aResumeLog(resumeLog.appended) }),
  );
  t.deepEqual(listsOf(dataset), many);
  t.is(targets[0], '/findings?page=3&limit=100');
  t.is(requests, 10 - 3);
});

test('a list that has changed since the interrupted run is read again', async (t) => {
  const resumeLog = aResumeLog();
  await recordFrom(
    serverWith(() => many),
    { resumeLog, maxRequests: 6 },
  );
  t.is(resumeLog.appended.length, 6);
  const after = { ...many, findings: without(many.findings, 0), prs: without(many.prs, 0) };
  const { dataset } = recordingOf(
    await recordFrom(
      serverWith(() => after),
      { resumeLog: aResumeLog(resumeLog.appended) },
    ),
  );
  t.deepEqual(listsOf(dataset).findings, after.findings);
});

test('a recording that reaches the limit of requests fails and can be resumed', async (t) => {
  const result = await recordFrom(
    serverWith(() => many),
    { maxRequests: 4 },
  );
  t.deepEqual(failureOf(result), {
    lines: ['4 requests (--max-requests) were not enough to read everything'],
    canResume: true,
  });
});

test('saved responses from the first one on that does not fit are discarded and requested anew', async (t) => {
  const resumeLog = aResumeLog();
  await recordFrom(
    serverWith(() => many),
    { resumeLog },
  );
  const [repos, ...others] = resumeLog.appended;
  if (repos === undefined) throw new Error('nothing was saved');
  const other = { ...repos, request: 'GET /elsewhere' };
  for (const saved of [
    [repos, other, ...others],
    [repos, { ...repos, request: String(others[0]?.request) }],
  ]) {
    const log = aResumeLog(saved);
    const { dataset } = recordingOf(
      await recordFrom(
        serverWith(() => many),
        { resumeLog: log },
      ),
    );
    t.deepEqual(listsOf(dataset), many);
    t.deepEqual([log.kept, log.appended.length], [[1], others.length]);
  }
});

test('a complete log is not enough: the server is asked whether the lists are still the same', async (t) => {
  const resumeLog = aResumeLog();
  await recordFrom(
    serverWith(() => many),
    { resumeLog },
  );
  const saved = resumeLog.appended;
  const again = recordingOf(
    await recordFrom(
      serverWith(() => many),
      { resumeLog: aResumeLog(saved) },
    ),
  );
  t.is(again.requests, 3);
  const after = { ...many, prs: without(many.prs, 0) };
  const changed = recordingOf(
    await recordFrom(
      serverWith(() => after),
      { resumeLog: aResumeLog(saved) },
    ),
  );
  t.deepEqual(listsOf(changed.dataset).prs, after.prs);
});

test('a session that the server sends back is redacted in the file, the resume log and the warnings', async (t) => {
  const resumeLog = aResumeLog();
  const lists = {
    ...few,
    findings: few.findings.map((finding) => ({
      ...finding,
      ciStatus: `by ${session}`,
      package: encodeURIComponent(session),
    })),
    prs: few.prs.map((pr) => ({ ...pr, package: encodeURIComponent(session) })),
  };
  const { text, warnings } = recordingOf(
    await recordFrom(
      serverWith(() => lists),
      { resumeLog },
    ),
  );
  for (const written of [text, JSON.stringify(resumeLog.appended), warnings.join()]) {
    t.false(written.includes(session) || written.includes(encodeURIComponent(session)), written);
  }
  t.deepEqual(warnings, ['responses contained the session; it was replaced by [secret]']);
});

test('a session whose slash is escaped in JSON is redacted', async (t) => {
  const text = JSON.stringify([{ ...few.repos[0], owner: session }]).replaceAll('/', '\\/');
  const send = serverThatSends(few, '/api/v1/repos', { ...json(null), text });
  t.false(recordingOf(await recordFrom(send)).text.includes(session));
});

test('fields that the contract does not define are neither recorded nor saved, with a warning', async (t) => {
  const resumeLog = aResumeLog();
  const lists = { ...few, repos: few.repos.map((repo) => ({ ...repo, internal: 'x' })) };
  const { text, warnings } = recordingOf(
    await recordFrom(
      serverWith(() => lists),
      { resumeLog },
    ),
  );
  t.false(`${text}${JSON.stringify(resumeLog.appended.map(({ body }) => body))}`.includes('internal'));
  const expected = ['repos /*/internal: not recorded, because the contract does not define it'];
  t.deepEqual(warnings, expected);
  const resumed = await recordFrom(
    serverWith(() => few),
    { resumeLog: aResumeLog(resumeLog.appended) },
  );
  t.deepEqual(recordingOf(resumed).warnings, expected);
});
