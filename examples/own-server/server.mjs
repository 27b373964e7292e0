// A server of the API v1 as its author first wrote it, with five mistakes: node server.mjs [port]
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { repos, scans, fixDrafts, pullRequests } = JSON.parse(
  readFileSync(new URL('../../fixtures/large.json', import.meta.url), 'utf8'),
);

/** Ann has the first twenty repositories, Ben the others. */
const owners = new Map(repos.map(({ id }, index) => [id, index < 20 ? 'ann' : 'ben']));

const credentials = [
  { user: 'ann', session: 'ann-session', token: 'ann-token', expires: '2099-01-01' },
  { user: 'ann', session: 'ann-old-session', token: 'ann-old-token', expires: '2026-01-01' },
  { user: 'ben', session: 'ben-session', token: 'ben-token', expires: '2099-01-01' },
];

const userOf = ({ cookie = '', authorization = '' }, acceptsToken) => {
  const [, session] = /(?:^|; )session=([^;]*)/.exec(cookie) ?? [];
  const [, token] = (acceptsToken && /^Bearer (.*)$/i.exec(authorization)) || [];
  const valid = credentials.filter(({ expires }) => new Date(expires) > new Date());
  return valid.find((each) => each.session === session || each.token === token)?.user;
};

const prs = pullRequests.map(({ draftId, ...pr }) => {
  const { repoId, advisoryId, package: name } = fixDrafts.find(({ id }) => id === draftId);
  const { owner, repo } = repos.find(({ id }) => id === repoId);
  return { ...pr, id: draftId, repoId, repo: { owner, repo }, advisoryId, package: name };
});

const scannedRepos = repos
  .map((repo) => {
    const isOwn = ({ repoId }) => repoId === repo.id;
    const [{ repoId, ...lastScan }] = scans
      .filter(isOwn)
      .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
    const openPrs = prs.filter(isOwn).filter(({ prState }) => prState === 'open');
    return {
      ...repo,
      lastScan,
      openPrCount: openPrs.length,
      openAdvisoryCount: fixDrafts.filter(isOwn).filter(({ status }) => status !== 'resolved').length,
      lastScanAt: lastScan.startedAt,
      lastScanRelative: `on ${lastScan.startedAt.slice(0, 10)}`,
      hasOpenFixPr: openPrs.length > 0,
      openFixDraftId: openPrs[0]?.id ?? null,
      ownerInitial: repo.owner.slice(0, 1).toUpperCase(),
    };
  })
  .sort((a, b) => (a.lastScanAt < b.lastScanAt ? 1 : -1));

/** The rows that have what these parameters ask for. */
const select = (rows, query, ...names) =>
  rows.filter((row) => names.every((name) => !query.has(name) || row[name] === query.get(name)));

const statesOf = { open: ['open'], merged: ['merged'], closed: ['closed', 'cancelled'] };

const whole = (text, byDefault) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : byDefault);

const pageOf = (rows, query) => {
  const page = whole(query.get('page'), 1);
  const limit = Math.min(whole(query.get('limit'), 25), 100);
  const items = rows.slice(page * limit, (page + 1) * limit);
  return { items, page, limit, totalItems: rows.length, totalPages: Math.ceil(rows.length / limit) };
};

const operations = {
  '/repos': ({ own }) => own(scannedRepos),
  '/findings': ({ own, query }) => {
    const rows = select(own(fixDrafts), query, 'repoId');
    return pageOf(select(rows, query, 'severity', 'status'), query);
  },
  '/findings/': ({ id }) => {
    const finding = fixDrafts.find((draft) => draft.id === id);
    return finding && { ...finding, prCount: prs.filter((pr) => pr.id === id).length };
  },
  '/prs': ({ own, query }) => {
    const states = statesOf[query.get('status')];
    const rows = select(own(prs), query, 'repoId');
    return pageOf(states ? rows.filter(({ prState }) => states.includes(prState)) : rows, query);
  },
};

const answerTo = ({ method, url, headers }) => {
  if (method !== 'GET') return [405, { error: 'Method not allowed' }];
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const [, path, id] = /^\/api\/v1(\/\w+\/?)(.*)$/.exec(pathname) ?? [];
  if (!Object.hasOwn(operations, path)) return [404, { error: 'Not found' }];
  const user = userOf(headers, ['/findings/', '/prs'].includes(path));
  if (user === undefined) return [401, { error: 'unauthorized' }];
  const own = (rows) => rows.filter((row) => owners.get(row.repoId ?? row.id) === user);
  const body = operations[path]({ own, query: searchParams, id: decodeURIComponent(id) });
  return body ? [200, body] : [404, { error: 'finding not found' }];
};

const server = createServer((request, response) => {
  const [status, body] = answerTo(request);
  response.writeHead(status, { Allow: 'GET', 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}).listen(process.argv[2] ?? 5000, '127.0.0.1', () => {
  process.stderr.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
