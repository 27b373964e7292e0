import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { Finding, FindingDetail } from '../../../src/contract/finding.js';
import { Pr } from '../../../src/contract/pr.js';
import { Repo } from '../../../src/contract/repo.js';
import type { ViewContext } from '../../../src/pages/explorer/explorer-page.js';
import { aDraft, aPullRequest, aRepo, aScan, at, now } from '../../_data.js';

const decoded = <A>(codec: t.Decoder<unknown, A>, value: unknown): A => {
  const result = codec.decode(value);
  if (E.isLeft(result)) throw new Error(`not valid: ${JSON.stringify(value)}`);
  return result.right;
};

type Fields = Readonly<Record<string, unknown>>;

const finding = aDraft('d1', 'web');

/** A finding, as the API answers it. */
export const aFinding = (over: Fields = {}): Finding => decoded(Finding, { ...finding, ...over });

/** A finding in full. */
export const aFindingDetail = (over: Fields = {}): FindingDetail =>
  decoded(FindingDetail, { ...finding, prCount: 1, ...over });

/** A pull request, as the API answers it. */
export const aPr = (over: Fields = {}): Pr =>
  decoded(Pr, {
    ...aPullRequest('d1', 'd1'),
    repoId: 'web',
    repo: { owner: 'acme', repo: 'web' },
    advisoryId: 'GHSA-35jh-r3h4-6jhm',
    package: 'lodash',
    ...over,
  });

/** A repository, as the API answers it. */
export const aListedRepo = (over: Fields = {}): Repo =>
  decoded(Repo, {
    ...aRepo('web'),
    lastScan: aScan('s1', 'web'),
    openPrCount: 1,
    openAdvisoryCount: 2,
    lastScanAt: '2026-11-20T11:00:00.000Z',
    lastScanRelative: '1 hour ago',
    hasOpenFixPr: true,
    openFixDraftId: 'd1',
    ownerInitial: 'A',
    ...over,
  });

/** What pages depend on besides their data. */
export const aContext: ViewContext = {
  page: { user: { name: 'Ann', email: "ann@o'hara.test" }, mode: 'fixtures', hasExplorer: true },
  now: at(now),
  origin: 'http://127.0.0.1:4000',
  version: 'start-0',
  mayControl: true,
  publicSession: null,
  others: null,
};

/** The text of markup as a reader sees it, without tags and with entities resolved. */
export const textOf = (markup: string): string =>
  markup
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
