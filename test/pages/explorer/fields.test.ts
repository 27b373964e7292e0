import test from 'ava';
import fc from 'fast-check';
import { Finding, FindingDetail } from '../../../src/contract/finding.js';
import { operations } from '../../../src/contract/operations.js';
import { Pr } from '../../../src/contract/pr.js';
import { LastScan, Repo } from '../../../src/contract/repo.js';
import type { Shown, ShownRequest } from '../../../src/pages/explorer/explorer-page.js';
import { findingPage, findingTable } from '../../../src/pages/explorer/findings-pages.js';
import { rowsTable } from '../../../src/pages/explorer/lists.js';
import { prTable } from '../../../src/pages/explorer/prs-page.js';
import { repoTable } from '../../../src/pages/explorer/repos-page.js';
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

/** The names of fields in a table, in alphabetical order. */
const namesIn = ({ markup }: Html): readonly string[] =>
  Array.from(markup.matchAll(/<span class="key">(\w+)<\/span>/g), ([, name = '']) => name).sort();

test('the tables show every field of the contract once, those of the last scan too', (t) => {
  const names = (...props: readonly object[]) => props.flatMap(Object.keys).sort();
  t.deepEqual(namesIn(rowsTable(findingTable, [aFinding()], shown)), names(Finding.type.props));
  t.deepEqual(namesIn(rowsTable(prTable, [aPr()], shown)), names(Pr.type.props));
  t.deepEqual(
    namesIn(rowsTable(repoTable, [aListedRepo()], shown)),
    names(Repo.type.props, LastScan.type.props),
  );
});

test('the page of a finding shows every field with its meaning', (t) => {
  const finding = aFindingDetail();
  const { markup } = findingPage(aContext, {
    request,
    finding,
    ignored: [],
    repoName: () => 'acme/web',
    related: { prs: [], read: 0, total: 0 },
  });
  for (const [name, { description }] of Object.entries(FindingDetail.type.props)) {
    t.true(markup.includes(`<th scope="row"><code>${name}</code></th>`), name);
    t.true(textOf(markup).includes(description), name);
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
        rowsTable(findingTable, [aFinding({ ...finding, ...ranges })], shown),
        rowsTable(prTable, [aPr({ ...pr, prState: text, repo: { owner: text, repo: text } })], shown),
        rowsTable(repoTable, [aListedRepo({ ...repo, lastScan, openFixDraftId: text })], shown),
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
