import test from 'ava';
import { demoRows } from '../../src/accounts/demo-rows.js';
import { acme } from '../koa/_world.js';

test('demo rows keep every row and reference of the template under new ids', (t) => {
  const rows = demoRows(acme);
  const ids = (of: typeof rows): readonly string[] =>
    [...of.repos, ...of.scans, ...of.fixDrafts, ...of.pullRequests].map(({ id }) => id);
  t.is(new Set([...ids(rows), ...ids(acme)]).size, ids(acme).length * 2);
  const repoOf = new Map(acme.repos.map(({ id }, i) => [rows.repos[i]?.id, id]));
  const draftOf = new Map(acme.fixDrafts.map(({ id }, i) => [rows.fixDrafts[i]?.id, id]));
  t.deepEqual(
    rows.scans.map(({ repoId }) => repoOf.get(repoId)),
    acme.scans.map(({ repoId }) => repoId),
  );
  t.deepEqual(
    rows.fixDrafts.map(({ repoId }) => repoOf.get(repoId)),
    acme.fixDrafts.map(({ repoId }) => repoId),
  );
  t.deepEqual(
    rows.pullRequests.map(({ draftId }) => draftOf.get(draftId)),
    acme.pullRequests.map(({ draftId }) => draftId),
  );
});

test('the new id of a demo row begins with the kind of the row', (t) => {
  const { repos, scans, fixDrafts, pullRequests } = demoRows(acme);
  for (const [kind, rows] of [
    ['repo', repos],
    ['scan', scans],
    ['fix', fixDrafts],
    ['pr', pullRequests],
  ] as const) {
    for (const { id } of rows) t.regex(id, new RegExp(`^${kind}_[\\w-]+$`));
  }
});
