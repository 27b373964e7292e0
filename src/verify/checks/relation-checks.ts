import { textOf } from '../../common/json.js';
import { compareCodePoints } from '../../common/sort-and-group.js';
import { Timestamp } from '../../contract/codecs/timestamp.js';
import {
  agrees,
  areUnique,
  asIn,
  type Case,
  type Cases,
  type Check,
  checksOf,
  countedIn,
  fieldIs,
  fieldsAre,
  judgeValues,
  notAfter,
  since,
  violation,
  wrongField,
} from '../check.js';
import type { ListName } from '../exchange.js';
import { allThatFit } from '../not-exercised.js';
import { isRow, type ListItem, type Located, rowIn } from '../rows.js';
import { type List, repoIdsByRows, type Server } from '../server.js';

const repos = checksOf('repos', 'a connected repository');
const prs = checksOf('prs', 'a pull request');
const { info } = checksOf('decisions', 'a connected repository', null);

const judgeEachRepo = (judge: (repo: Located) => Cases) => judgeValues((server) => server.repos(), judge);
const judgeAllRepos = (judge: (repos: readonly Located[]) => Cases) =>
  judgeValues(async (server) => [await server.repos()], judge);

/** The number of repositories whose rows are fetched if the list is large. */
const maxRepos = 3;

/** Judges each repository with its rows of a list; if the list is large, some repositories with few rows. */
const judgeReposWith =
  (name: ListName, judge: (repo: Located, found: List) => Cases) =>
  async (server: Server): Promise<Cases> => {
    const known = await server.repos();
    const { rows, isWhole } = await server.sample(name);
    const few = new Set(repoIdsByRows(rows).slice(0, maxRepos));
    const judged = known.flatMap((repo) => {
      const id = textOf(repo.value, 'id');
      return id !== undefined && (isWhole || few.has(id))
        ? [server.rowsOfRepo(name, id).then((found) => [judge(repo, found)].flat())]
        : [];
    });
    return (await allThatFit(judged)).flat();
  };

const isOpen = ({ value }: Located): boolean => value.prState === 'open';

const counts = ['openPrCount', 'openAdvisoryCount'];
const scanCounts = ['findingsSeen', 'draftsOpened'];

/** Fields of another type are left to the check of types. */
const isCount =
  (row: Located) =>
  (field: string): Case => {
    const value = row.value[field];
    return typeof value === 'number' && value < 0 ? wrongField(row, field, 'a number from 0') : null;
  };

/** Compares the last scan of each repository with those of the repositories before it. */
const haveOwnScans = (rows: readonly Located[]): readonly Case[] => {
  const owners = new Map<string, string>();
  return rows.flatMap((repo): readonly Case[] =>
    rowIn(repo, 'lastScan').flatMap((scan) => {
      const id = textOf(scan.value, 'id');
      // A repository that was never scanned may have a scan without a start, whose id means nothing.
      if (id === undefined || !Timestamp.is(scan.value.startedAt)) return [];
      const other = owners.get(id);
      owners.set(id, other ?? String(repo.value.id));
      return [other === undefined ? null : wrongField(scan, 'id', `no scan of ${other}`)];
    }),
  );
};

const isNotBlank = (repo: Located, field: string): Case => {
  const value = repo.value[field];
  return typeof value === 'string' && value.trim() === ''
    ? wrongField(repo, field, 'text that is not blank')
    : null;
};

const wasScanned = ({ value }: Located): boolean =>
  /^\d{4}-\d\d-\d\dT/.test(textOf(value, 'lastScanAt') ?? '');

/** Fields of repositories that depend on each other or on pull requests (contract, sections 2.1 and 4.1). */
const repoChecks: readonly Check[] = [
  repos.must('ids (2.1; duplicate-repos): no id occurs twice')(
    judgeAllRepos((rows) => areUnique(rows, 'id')),
  ),
  repos.must.requiring('two repositories that were scanned')(
    'order (2.1, 4.1; repo-order): the most recently scanned, by lastScanAt, comes first',
    'Section 4.1 orders by most-recent scan, and section 2.1 names one moment as that of the last scan: lastScanAt, ' +
      'its start. The end of a scan is no field of the repository itself.',
  )(judgeAllRepos((rows) => notAfter(rows.filter(wasScanned), 'lastScanAt'))),
  repos.must(
    `counts (2.1; negative-count): ${counts.join(', ')} of the repository, and ${scanCounts.join(', ')} of its last scan are not negative`,
    'Section 2.1 calls these fields numbers of pull requests, advisories, findings and drafts. There cannot be fewer ' +
      'than none.',
  )(
    judgeEachRepo((repo) => [
      ...counts.map(isCount(repo)),
      ...rowIn(repo, 'lastScan').flatMap((scan) => scanCounts.map(isCount(scan))),
    ]),
  ),
  repos.must.requiring('a repository that was scanned')(
    'last-scan-at (2.1; last-scan): lastScanAt is the time at which lastScan started',
  )(
    judgeEachRepo((repo) => {
      const { lastScan } = repo.value;
      const why = since('as in lastScan.startedAt');
      return isRow(lastScan) ? fieldIs(repo, 'lastScanAt', lastScan.startedAt, why) : [];
    }),
  ),
  repos.must('has-open-fix-pr (2.1; open-prs): hasOpenFixPr says whether openPrCount is greater than 0')(
    judgeEachRepo((repo) => {
      const { openPrCount } = repo.value;
      const why = since(`since openPrCount is ${openPrCount}`);
      return fieldIs(repo, 'hasOpenFixPr', Number(openPrCount) > 0, why);
    }),
  ),
  repos.must.requiring('two repositories of one owner')(
    'owner-initial (2.1; repo-text): ownerInitial is the same for all repositories of an owner',
  )(
    judgeAllRepos((rows) =>
      rows.flatMap((repo, index) => {
        const first = rows.findIndex(({ value }) => value.owner === repo.value.owner);
        const why = since('as for the other repositories of this owner');
        return first === index ? [] : [fieldIs(repo, 'ownerInitial', rows[first]?.value.ownerInitial, why)];
      }),
    ),
  ),
  repos.must(
    'open-pr-count (2.1, 3.2; open-prs): openPrCount is the number of open pull requests of the repository',
  )(
    judgeReposWith('prs', (repo, found) =>
      fieldIs(repo, 'openPrCount', found.rows.filter(isOpen).length, countedIn(found.first)),
    ),
  ),
  repos.must.requiring('a repository with an open pull request')(
    'open-fix-draft (2.1, 3.2; open-prs): openFixDraftId is the id of one of the open pull requests of the repository',
  )(
    judgeReposWith('prs', (repo, found) => {
      const ids = found.rows.filter(isOpen).map(({ value }) => value.id);
      if (ids.length === 0) return [];
      return ids.includes(repo.value.openFixDraftId)
        ? null
        : wrongField(repo, 'openFixDraftId', `one of ${JSON.stringify(ids.slice(0, 5))}`, asIn(found.first));
    }),
  ),
  repos.must.requiring('a repository that was scanned')(
    'last-scan-present (2.1; last-scan): a repository with lastScanAt has lastScan, too',
    'lastScanAt is the start of the last scan. If there is one, lastScan is an object, as section 2.1 says.',
  )(
    judgeEachRepo((repo) => {
      if (!wasScanned(repo)) return [];
      const { lastScan, lastScanAt } = repo.value;
      return isRow(lastScan)
        ? null
        : wrongField(repo, 'lastScan', `a scan, since lastScanAt is ${lastScanAt}`);
    }),
  ),
  repos.must.requiring('two repositories that were scanned')(
    'own-last-scan (2.1; last-scan): no two repositories have the same last scan, by its id',
    'lastScan is the most recent scan of this repository, and its id the id of that scan. A ' +
      'server that does not select the scans by repository shows the same scan for several.',
  )(judgeAllRepos(haveOwnScans)),
  repos.must(
    'readable (2.1; repo-text): ownerInitial is not blank, and neither is lastScanRelative after a scan',
    'Section 2.1 calls lastScanRelative a relative time that people can read, and ownerInitial a string that is derived ' +
      "from the owner's name. Neither is blank, unless there is no scan, or the name itself begins with a space.",
  )(
    judgeEachRepo((repo) => [
      ...(/^\S/.test(textOf(repo.value, 'owner') ?? '') ? [isNotBlank(repo, 'ownerInitial')] : []),
      ...(wasScanned(repo) ? [isNotBlank(repo, 'lastScanRelative')] : []),
    ]),
  ),
];

/** A pull request, and the row of another list that it refers to, if that list has it. */
type Reference = Readonly<{ pr: Located; target: Located | undefined }>;

const references = (prs: readonly Located[], rows: readonly Located[], field: 'id' | 'repoId') => {
  const byId = new Map(rows.map((row) => [row.value.id, row]));
  return prs.map((pr): Reference => ({ pr, target: byId.get(pr.value[field]) }));
};

/** Judges each pull request and its finding; of large lists, those of one repository. */
const judgeReferences = (judge: (reference: Reference) => Cases) => async (server: Server) => {
  const query = await server.smallQuery('findings');
  const prs = await server.list('prs', { query });
  return references(prs.rows, (await server.list('findings', { query })).rows, 'id').flatMap(judge);
};

/** How pull requests agree with findings and repositories (contract, sections 2.1 to 2.3). */
export const relationChecks: readonly Check[] = [
  ...repoChecks,
  prs.must(
    'finding (2.2, 2.3; pr-finding): id is the id of a finding',
    'Sections 2.2 and 2.3: the id of a finding and that of a pull request are both that of the fix draft. Every fix ' +
      'draft backs a finding, and no rule of section 4.2 hides one.',
  )(
    judgeReferences(({ pr, target }) =>
      target === undefined ? wrongField(pr, 'id', 'the id of one of the findings') : null,
    ),
  ),
  ...['repoId', 'advisoryId', 'package'].map((field) =>
    prs.must(`finding-${field} (2.2, 2.3; pr-copies): ${field} is that of the finding`)(
      judgeReferences(({ pr, target }) => (target === undefined ? [] : agrees(pr, target, [field]))),
    ),
  ),
  prs.must.requiring('a pull request of a listed repository')(
    'repo-names (2.1, 2.3; pr-copies): repo has the owner and the name of the repository',
  )(async (server) => {
    const { rows } = await server.sample('prs');
    return references(rows, await server.repos(), 'repoId').flatMap(({ pr, target }) =>
      target === undefined
        ? []
        : rowIn(pr, 'repo').flatMap((inner) => agrees(inner, target, ['owner', 'repo'])),
    );
  }),
];

const isNever = ({ value }: Located): boolean => value.lastScan === null || value.lastScanAt === null;

const compareText = (left: ListItem, right: ListItem, field: string): number =>
  compareCodePoints(textOf(left, field) ?? '', textOf(right, field) ?? '');

/** The id of the draft whose open pull request was updated last; of several, the smallest. */
const latestDraft = (prs: readonly Located[]): unknown => {
  const [latest] = prs
    .filter(isOpen)
    .map(({ value }) => value)
    .sort((left, right) => compareText(right, left, 'updatedAt') || compareText(left, right, 'id'));
  return latest?.id ?? null;
};

/** Our decisions about values and their order; docs/decisions.md gives the reasons. */
export const derivedValueChecks: readonly Check[] = [
  info.requiring('two findings')(
    'order-of-findings (4.2): findings: the most recently discovered comes first; of several, the smallest id',
  )(async (server) =>
    notAfter(
      (await server.sample('findings')).rows,
      'discoveredAt',
      (before, after) => compareText(before, after, 'id') <= 0,
    ),
  ),
  info.requiring('two pull requests')('order-of-prs (4.4): prs: the most recently created comes first')(
    async (server) => notAfter((await server.sample('prs')).rows, 'createdAt'),
  ),
  info.requiring('a repository that was never scanned')(
    'never-scanned (2.1): repos: without a scan, lastScan and lastScanAt are null and lastScanRelative is "never"',
  )(
    judgeEachRepo((repo) => {
      const expected = { lastScan: null, lastScanAt: null, lastScanRelative: 'never' };
      return isNever(repo) ? fieldsAre(repo, expected) : [];
    }),
  ),
  info.requiring('repositories with and without a scan')(
    'never-scanned-last (4.1): repos: repositories that were never scanned come last',
  )(
    judgeAllRepos((rows) => {
      const first = rows.findIndex(isNever);
      if (first < 0 || rows.every(isNever)) return [];
      const expected = 'no scanned repository after one without a scan';
      const judge = (row: Located) => (isNever(row) ? null : violation(row, expected, row.value.lastScanAt));
      return rows.slice(first).map(judge);
    }),
  ),
  info('owner-initial (2.1): repos: ownerInitial is the first character of owner, in upper case')(
    judgeEachRepo((repo) => {
      const [first = ''] = textOf(repo.value, 'owner') ?? '';
      return fieldIs(repo, 'ownerInitial', first.toUpperCase());
    }),
  ),
  info(
    'open-fix-draft (2.1): repos: openFixDraftId names the open pull request that was updated last, or is null',
  )(judgeReposWith('prs', (repo, found) => fieldIs(repo, 'openFixDraftId', latestDraft(found.rows)))),
  info(
    'open-advisories (2.1): repos: openAdvisoryCount counts the advisories of findings that are not resolved',
  )(
    judgeReposWith('findings', (repo, found) => {
      const open = found.rows.filter(({ value }) => value.status !== 'resolved');
      return fieldIs(repo, 'openAdvisoryCount', new Set(open.map(({ value }) => value.advisoryId)).size);
    }),
  ),
];
