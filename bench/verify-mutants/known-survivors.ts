/** Why a server that differs from the small one is right, too. */
const reasons = {
  same: 'every response is the same',
  order: 'an order that the contract leaves open (sections 4.1, 4.2, 4.4)',
  refusal:
    'the contract leaves open how wrong parameters, unknown paths and other methods are answered (sections 4, 7)',
  text: 'the contract leaves open how texts for people are worded (section 2.1)',
  count: 'the contract leaves open what exactly is counted (sections 2.1, 2.2)',
  data: 'the responses are those of a right server that has other data (section 2)',
  header: 'the contract leaves open what may follow a valid token in the same header (section 5)',
} as const;

/**
 * Mutants of one declaration of the small server that break nothing that the contract says. Each change is
 * written as a run prints it, and as often as it occurs.
 */
export type KnownSurvivor = Readonly<{ within: string; changes: readonly string[]; reason: string }>;

const known = (reason: keyof typeof reasons, within: string, changes: readonly string[]): KnownSurvivor => ({
  within,
  changes,
  reason: reasons[reason],
});

/**
 * All mutants that are right, each with the reason. A whole run fails if one of them is noticed after all.
 */
export const knownSurvivors: readonly KnownSurvivor[] = [
  known('refusal', 'badRequest', [
    "failure(400, 'Bad request') → undefined",
    '400 → (399)',
    "400, 'Bad request' → 'Bad request', 400",
    "'Bad request' → ''",
  ]),
  known('same', 'compare', ['1 → 2', '1 → 2']),
  // Equal texts: rows of the same moment, and the same row.
  known('order', 'compare', [
    'left < right → left <= right',
    'left > right → left >= right',
    'left > right → true',
    '0 → 1',
    '0 → (-1)',
  ]),
  known('order', 'newestFirst', [
    'compare(timeOf(right), timeOf(left)) || compare(idOf(left), idOf(right)) → compare(timeOf(right), timeOf(left))',
    'idOf(left), idOf(right) → idOf(right), idOf(left)',
  ]),
  // A server whose repositories were never scanned, or whose scans began or ended at other times.
  known('data', 'lastScanOf', [
    'scan.repoId === repoId → undefined',
    'scan.repoId → scan.id',
    'return newestFirst(scans, (scan) => scan.startedAt, (scan) => scan.id)[0]; → return;',
    '(scan) => scan.startedAt, (scan) => scan.id → (scan) => scan.id, (scan) => scan.startedAt',
    'scan.startedAt → undefined',
    'scan.startedAt → scan.finishedAt',
    'scan.id → undefined',
    'scan.id → scan.repoId',
    '0 → 1',
    '0 → (-1)',
  ]),
  known('count', 'openAdvisories', [
    "tenant.fixDrafts.filter((draft) => draft.repoId === repoId && draft.status !== 'resolved') → tenant.fixDrafts",
    "draft.repoId === repoId && draft.status !== 'resolved' → undefined",
    "draft.repoId === repoId && draft.status !== 'resolved' → draft.repoId === repoId || draft.status !== 'resolved'",
    "draft.repoId === repoId && draft.status !== 'resolved' → draft.repoId === repoId",
    "draft.repoId === repoId && draft.status !== 'resolved' → draft.status !== 'resolved'",
    'draft.repoId === repoId → draft.repoId !== repoId',
    'draft.repoId → draft.id',
    "draft.status !== 'resolved' → draft.status === 'resolved'",
    "'resolved' → ''",
    'open.map((draft) => draft.advisoryId) → open',
    'draft.advisoryId → undefined',
  ]),
  known('text', 'relativeTime', [
    'floor → ceil',
    '(Date.parse(now) - Date.parse(timestamp)) / 86_400_000 → Date.parse(now) - Date.parse(timestamp) * 86_400_000',
    'Date.parse(now) - Date.parse(timestamp) → Date.parse(now) + Date.parse(timestamp)',
    '86_400_000 → 86400001',
    '86_400_000 → (86399999)',
  ]),
  known('data', 'repoView', [
    'repo.id → repo.repoId',
    'scan.id → scan.repoId',
    'scan.finishedAt → scan.startedAt',
  ]),
  known('count', 'repoView', ['repo.id → repo.repoId']),
  known('text', 'repoView', [
    'scan → false',
    'scan.startedAt, now → now, scan.startedAt',
    'scan.startedAt → scan.finishedAt',
    "'never' → ''",
    'repo.owner.slice(0, 1).toUpperCase() → repo.owner.slice(0, 1)',
    'repo.owner.slice(0, 1) → repo.owner',
    '1 → 2',
  ]),
  known('data', 'findingView', ['draft.discoveredAt → draft.updatedAt']),
  known('data', 'prView', ['pr.createdAt → pr.updatedAt', 'pr.updatedAt → pr.createdAt']),
  known('same', 'pagingOf', ['limit, 100 → 100, limit']),
  known('order', 'listRepos', ["'' → 'mutated'", 'view.id → undefined', 'view.id → view.repoId']),
  known('order', 'listFindings', [
    '(draft) => draft.discoveredAt, (draft) => draft.id → (draft) => draft.id, (draft) => draft.discoveredAt',
    'draft.discoveredAt → undefined',
    'draft.discoveredAt → draft.updatedAt',
    'draft.id → undefined',
    'draft.id → draft.repoId',
  ]),
  known('refusal', 'listFindings', [
    "!isAllowed(query, 'severity', severities) → false",
    "'severity' → ''",
    "'severity', severities → severities, 'severity'",
    "!isAllowed(query, 'status', findingStatuses) → false",
    "'status' → ''",
    "'status', findingStatuses → findingStatuses, 'status'",
    'return badRequest(); → return;',
    'return badRequest(); → return;',
    'return badRequest(); → return;',
    'paging === null → false',
  ]),
  known('count', 'getFinding', ['pr.draftId === id → undefined', 'pr.draftId → pr.id']),
  known('refusal', 'listPrs', [
    "!isAllowed(query, 'status', Object.keys(prStatuses)) → false",
    "'status' → ''",
    "'status', Object.keys(prStatuses) → Object.keys(prStatuses), 'status'",
    'return badRequest(); → return;',
    'return badRequest(); → return;',
    'paging === null → false',
  ]),
  // Every pull request has a finding and a repository; no value of the filter is `null`.
  known('same', 'listPrs', [
    'status === null → false',
    'draft === undefined || repo === undefined → draft === undefined && repo === undefined',
    'draft === undefined || repo === undefined → draft === undefined',
    'draft === undefined || repo === undefined → repo === undefined',
    'draft === undefined || repo === undefined → false',
    'return []; → return;',
  ]),
  known('order', 'listPrs', [
    '({ pr }) => pr.createdAt, ({ pr }) => pr.id → ({ pr }) => pr.id, ({ pr }) => pr.createdAt',
    'pr.createdAt → undefined',
    'pr.createdAt → pr.updatedAt',
    'pr.id → undefined',
    'pr.id → pr.repoId',
  ]),
  // Nothing expires at this very moment.
  known('same', 'isValid', ['credential.expiresAt > now → credential.expiresAt >= now']),
  known('same', 'cookieOf', ["headers.cookie ?? '' → headers.cookie", "'' → 'mutated'"]),
  known('header', 'tokenOf', ['$ → (removed)']),
  known('same', 'tokenOf', ["headers.authorization ?? '' → headers.authorization", "'' → 'mutated'"]),
  known('same', 'bySession', ['value === undefined → false']),
  known('same', 'byEither', ['value === undefined → false']),
  known('refusal', 'idIn', ['^ → (removed)', '$ → (removed)']),
  known('same', 'routeOf', [
    "path = '' → path",
    "search = '' → search",
    "'' → 'mutated'",
    "'' → 'mutated'",
    'return undefined; → return;',
  ]),
  known('refusal', 'routeOf', ["path === '/api/v1/prs' → true"]),
  known('refusal', 'smallServer', [
    'route === undefined → false',
    "return failure(404, 'Not found'); → return;",
    "404, 'Not found' → 'Not found', 404",
    '404 → 405',
    '404 → (403)',
    "'Not found' → ''",
    "request.method === 'OPTIONS' → false",
    "'OPTIONS' → ''",
    "return { status: 204, headers: { allow: 'GET' }, text: '' }; → return;",
    'status: 204, → (removed)',
    '204 → 205',
    '204 → (203)',
    "headers: { allow: 'GET' }, → (removed)",
    "allow: 'GET' → (removed)",
    "'GET' → ''",
    ", text: '' → (removed)",
    "'' → 'mutated'",
  ]),
];
