import test from 'ava';
import fc from 'fast-check';
import { type Finding, FindingDetail } from '../../../src/contract/finding.js';
import { operations } from '../../../src/contract/operations.js';
import type { Repo } from '../../../src/contract/repo.js';
import type { Shown, ShownRequest } from '../../../src/pages/explorer/explorer-page.js';
import { findingPage, findingsPage } from '../../../src/pages/explorer/findings-pages.js';
import { rowsTable } from '../../../src/pages/explorer/lists.js';
import { prTable } from '../../../src/pages/explorer/prs-page.js';
import { reposPage } from '../../../src/pages/explorer/repos-page.js';
import type { Html } from '../../../src/pages/html.js';
import { at, now } from '../../_data.js';
import { aContext, aFinding, aFindingDetail, aListedRepo, aPr, textOf } from './_rows.js';

const shown: Shown = { now: at(now), repoName: () => null };

const request: ShownRequest = {
  operation: operations.getFinding,
  target: '/api/v1/findings/d1',
  status: 200,
  body: {},
};

const query = { page: 1, limit: 25, repoId: undefined, severity: undefined, status: undefined };

const noView = { ignored: [], repos: [], rows: undefined, without: [] };

/** The pages that list one row of each kind. */
const findingList = (finding: Finding): Html => {
  const answer = { items: [finding], page: 1, limit: 25, totalItems: 1, totalPages: 1 };
  return findingsPage(aContext, { ...noView, request, query, answer }, new Map());
};
const repoList = (repo: Repo): Html => reposPage(aContext, { request, repos: [repo], total: 1, ignored: [] });

test('the page of a finding shows what every field means, and commands that a shell reads as one word each', (t) => {
  const finding = aFindingDetail();
  const { markup } = findingPage(aContext, {
    request: { ...request, target: "/api/v1/findings/d'1" },
    finding,
    ignored: [],
    repoName: () => 'acme/web',
    related: { prs: [], read: 0, total: 0 },
  });
  const shownText = textOf(markup);
  t.true(shownText.includes(`curl -b triage.cookies 'http://127.0.0.1:4000/api/v1/findings/d'\\''1'`));
  t.true(shownText.includes(`curl -H "Authorization: Bearer $TRIAGE_TOKEN" 'http://127.0.0.1:4000/api/`));
  t.true(shownText.includes(`curl -c triage.cookies --data-urlencode 'email=ann@o'\\''hara.test' `));
  for (const [name, { description }] of Object.entries(FindingDetail.type.props)) {
    t.true(shownText.includes(description), name);
  }
});

/** Text that would be an element, an attribute or a reference if it were not escaped. */
const hostile = fc.constantFrom(
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onclick='alert(1)",
  '</pre></code></table>',
  '&lt;b&gt;',
  '<!-- ',
  '\u202Egnirts',
  'x'.repeat(200),
  'حزمة',
  '\u0000\u001b[31m',
);

test('no text of a row becomes markup', (t) => {
  fc.assert(
    fc.property(hostile, (text) => {
      const finding = { id: text, repoId: text, advisoryId: text, package: text, ecosystem: text };
      const ranges = { vulnerableRange: text, fixedRange: text, ciStatus: text };
      const pr = { branch: text, fromVersion: text, toVersion: text, codemodSummary: text, prUrl: text };
      const repo = { owner: text, repo: text, defaultBranch: text, status: text, ownerInitial: text };
      const lastScan = { ...aListedRepo().lastScan, id: text, status: text, error: text };
      const markup = [
        findingList(aFinding({ ...finding, ...ranges })),
        rowsTable(prTable, [aPr({ ...pr, prState: text, repo: { owner: text, repo: text } })], shown),
        repoList(aListedRepo({ ...repo, lastScan, openFixDraftId: text })),
        findingPage(aContext, {
          request: { ...request, target: `/${encodeURIComponent(text)}`, body: { text } },
          finding: aFindingDetail({ ...finding, ...ranges }),
          ignored: [text],
          repoName: () => text,
          related: null,
        }),
      ]
        .map((each) => each.markup)
        .join('');
      return (
        !/<script(?! src="\/assets\/explore\.js")|<img|<!-- |onclick='|javascript:/.test(markup) &&
        textOf(markup).includes(text)
      );
    }),
  );
  t.pass();
});
