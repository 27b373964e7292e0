/** How grave a mistake is, the gravest first. */
const gravities = ['leak', 'credentials', 'data', 'shape', 'wording'] as const;
type Gravity = (typeof gravities)[number];

/**
 * What servers get wrong, the gravest first: an id, the sections of the contract, what is wrong and what to
 * do. The groups between `credentials` and `shape` are mistakes in the data.
 */
const sentences = {
  leak: [
    'no-credentials (5 rule 4): Requests without credentials are answered: send 401 unless a session or token is valid.',
    'invalid-credentials (5 rule 4): Invalid credentials are accepted: look up the value of a session or token.',
    'foreign-rows (1 rule 2, 5 rule 6): A list has rows of another user: select by the signed-in user, unless --other-session is of the same one.',
    'foreign-token (5 rule 2): A token shows data of another user: resolve it to the one who minted it, unless --token is of another user than --session.',
    'foreign-finding (4.3, 5 rule 6): Findings of another user are served by id: answer 404 unless the caller owns it.',
    'foreign-repo (5 rule 6, 7 note 2): The `repoId` of another user finds rows: filter among rows of the caller alone.',
  ],
  credentials: [
    'expired-credentials (5 rule 4): Expired sessions or tokens are accepted: check their validity on every request.',
    'similar-credentials (5 rule 4): Values that resemble a session or token are accepted: compare all of it, and case.',
    'other-kind (5 rules 1 and 2): A token counts as a cookie, or a session as a token: look each up among its kind.',
    'other-header (5 rules 2 and 5): Tokens count in other headers or schemes: read `Authorization: Bearer` alone.',
    'bearer-accepted (5 rule 3): Bearer tokens are accepted where only the session cookie counts: do not read them.',
    'authorization-read (5 rule 3): `Authorization` changes answers where only the session cookie counts: ignore it.',
    'cookie-refused (5 rule 1): A valid session cookie is refused: every operation accepts it.',
    'bearer-refused (5 rule 2): A valid bearer token is refused: getFinding and listPrs accept it without a cookie.',
    'both-refused (5): A session and a token are refused together: accept requests with both.',
    'refusal-status (5 rule 4, 7): Refused credentials get another status than 401: send 401 for every such request.',
    'token-differs (5 rule 2): A token is answered otherwise than a session: give both the same scope and parameters.',
    'credentials-late (5 rule 4): Ids or parameters are judged before credentials: without valid ones, send 401.',
    'parameters-401 (7): Wrong parameters are answered 401 in spite of a valid session: keep 401 for credentials.',
    'foreign-id (4.3, 7): Ids of others are answered otherwise than unknown ones, which reveals them: send the same 404.',
    'writes (1 rule 4): OPTIONS allows a method that writes: v1 is read-only.',
  ],
  answers: [
    'server-error (4): Valid requests fail with a 5xx: see the log of the server.',
    'refused (4.2, 4.4): Valid parameters are refused: accept every listed value, alone and together.',
    'repo-id-error (7 note 2): An unknown `repoId` is an error: send an empty page.',
    'odd-id (2, 7): Unknown ids of some forms are refused: ids are opaque, so treat every form alike.',
    'id-inexact (2, 4.3): Findings are found by ids that are not quite theirs: compare ids exactly.',
    'id-not-decoded (4.3): An id in the path is not decoded: undo its percent-encoding.',
    'not-found-status (4.3, 7): An unknown finding is not answered 404.',
  ],
  rows: [
    'page-base (4.2, 4.4, 8): Pages start at 0: count `page` from 1.',
    'page-ignored (4.2, 4.4): Page 2 is page 1 once more: begin at (page − 1) × limit.',
    'limit-ignored (4.2, 4.4): `limit` has no effect: send as many items as it asks for, up to 100.',
    'limit-cut-early (8): A `limit` of at most 100 is reduced: serve sizes up to 100.',
    'default-limit (8): Without `limit`, a page does not have 25 items: default to 25.',
    'page-rows (2.4): Pages lose or repeat rows: sort by something unique, and begin at (page − 1) × limit.',
    'total-items (2.4): `totalItems` is not the number of rows on all pages: count before you cut the page.',
  ],
  envelopes: [
    'default-page (8): Without `page`, another page than the first is sent: default to 1.',
    'limit-not-cut (8): A page has more than 100 items, or says so in `limit`: use 100 at most.',
    'page-echo (2.4): `page` or `limit` of the envelope is not the one in effect: send back what was used, never 0 or 1.5.',
  ],
  selection: [
    'repo-id-ignored (4.2, 4.4): `repoId` has no effect: send only rows of that repository.',
    'repo-id-misses (4.2, 4.4): `repoId` misses rows of that repository: send all of them.',
    'repo-id-inexact (2, 4.2, 4.4): `repoId` finds other ids than its own: compare ids exactly.',
    'filter-ignored (4.2, 4.4): `severity` or `status` lets other items through: send only those that have the value.',
    'findings-filter-first (4.2 rule 2): Findings are filtered before paging: cut the page, then apply the filters to it.',
    'prs-filter-late (4.4 rule 2): Pull requests are filtered after paging: apply `status` first, then cut the page.',
    'closed-null (3.2): `closed` misses pull requests whose state is null: null counts as closed.',
    'closed-misses (3.2): `closed` misses some of its states: it finds null, "closed" and "cancelled".',
    'status-misses (3.2): `open` or `merged` misses pull requests of this very state.',
    'status-extra (3.2): `status` finds pull requests of other states: map the stored states exactly as listed.',
  ],
  totals: [
    'repo-id-totals (4.2, 4.4): `repoId` does not narrow the totals: count only rows of that repository.',
    'findings-totals (4.2 rule 2): `severity` or `status` changes totals of findings: count all, or those of `repoId`.',
    'prs-totals (4.4 rule 2): `status` does not narrow the totals of pull requests: count the rows that match.',
    'together (4.2, 4.4): Parameters in one request give other rows than they select together: apply each of them.',
    'wrong-totals (4.2, 4.4): `totalItems` is not the number of rows that the parameters of the request select.',
    'total-pages (2.4): `totalPages` is not `totalItems` / `limit`, rounded up.',
  ],
  relations: [
    'detail-missing (4.3): A finding of the list is answered 404 by its id: look it up among all findings of the caller.',
    'detail-differs (4.3): A finding differs from its row in the list: read both from the same place.',
    'pr-finding (2.3): The `id` of a pull request is not that of its finding.',
    'pr-copies (2.3): A pull request contradicts its finding or repository.',
    'pr-count (2.2): `prCount` is not between 0 and the number of pull requests of the finding.',
    'unlisted-repo (2.2, 2.3): Rows belong to a repository that the list of repositories lacks.',
    'open-prs (2.1, 3.2): `openPrCount`, `hasOpenFixPr` or `openFixDraftId` contradicts the open pull requests.',
  ],
  repositories: [
    'duplicate-repos (2.1): A repository is listed twice.',
    'repo-order (4.1): Repositories are not ordered by the most recent scan: sort by `lastScanAt`, newest first.',
    'last-scan (2.1): `lastScan` and `lastScanAt` disagree, or two repositories share a scan.',
    'repo-text (2.1): `ownerInitial` or `lastScanRelative` is blank, or the initial differs for one owner.',
  ],
  shape: [
    'list-form (2.4): A list has the wrong form: repositories are a bare array, the others a page with `items`.',
    'missing-field (2): A field is missing: send every field, and null for one without a value.',
    'wrong-type (2): A field has another type than the contract says.',
    'wrong-null (2): A field is null that must have a value.',
    'timestamp (2): A timestamp is not ISO 8601 in UTC with three decimals, as 2026-11-20T12:00:00.000Z.',
    'unknown-word (2.2): `severity` or `status` has a value that is not listed, such as one in capitals.',
    'list-pr-count (2.2): Findings in the list have `prCount`: send it with the detail alone.',
    'envelope-field (2.4): `page`, `limit`, `totalItems` or `totalPages` is missing, or not a whole number.',
    'negative-count (2.1): A count is negative.',
    'not-json (1 rule 1): A body is not JSON, also of failures.',
    'content-type (1 rule 1): `Content-Type` does not say JSON: send application/json.',
    'byte-order-mark (1 rule 1): A body begins with a byte-order mark.',
    'repeated-key (1 rule 1): An object has a key twice.',
  ],
  wording: [
    'refusal-body (7): The body of a 401 is not exactly {"error":"Unauthorized"}.',
    'not-found-body (7): The 404 of a finding is not exactly {"error":"finding not found"}.',
    'other-paths (1 rule 1): Unknown paths under /api/v1 have a body that is not JSON.',
  ],
} as const satisfies Readonly<Record<string, readonly `${string} (${string}): ${string}`[]>>;

type Group = keyof typeof sentences;
type IdIn<Text> = Text extends `${infer Id} (${string}` ? Id : never;
export type MistakeId = IdIn<(typeof sentences)[Group][number]>;

/** A mistake in plain words. */
export type Mistake = Readonly<{
  id: string;
  group: string;
  gravity: Gravity;
  section: string;
  sentence: string;
}>;

/** All mistakes, the gravest first. */
export const mistakes: readonly Mistake[] = Object.entries(sentences).flatMap(([group, texts]) =>
  texts.map((text) => {
    const [id = '', section = '', sentence = ''] = text.split(/ \((.*?)\): (.*)/);
    return { id, group, gravity: gravities.find((each) => each === group) ?? 'data', section, sentence };
  }),
);

/**
 * What fails, too, by mistakes or groups of them, in the same operation: when a list has wrong rows, or a
 * request selects wrong ones, for example. Of a key that occurs twice, nobody knows which value counts.
 */
const hidden: Readonly<Record<string, readonly (Group | MistakeId)[]>> = {
  'foreign-rows': ['foreign-token', 'envelopes', 'selection', 'totals', 'relations'],
  rows: ['envelopes', 'selection', 'totals', 'relations'],
  selection: ['totals'],
  'repeated-key': ['rows', 'envelopes', 'selection', 'totals', 'relations'],
  'page-echo': ['total-pages'],
  'repo-id-ignored': ['repo-id-misses'],
  'repo-id-inexact': ['repo-id-misses'],
  'filter-ignored': ['closed-null', 'closed-misses', 'status-misses', 'status-extra', 'prs-filter-late'],
  'closed-null': ['status-extra'],
  'repo-id-totals': ['wrong-totals', 'total-pages'],
  'findings-totals': ['wrong-totals', 'total-pages'],
  'prs-totals': ['wrong-totals', 'total-pages'],
  together: ['wrong-totals', 'prs-totals', 'repo-id-totals', 'findings-totals'],
  'pr-finding': ['pr-count', 'open-prs', 'pr-copies'],
  'pr-copies': ['pr-count', 'open-prs'],
  'not-json': ['refusal-body', 'not-found-body'],
};

/**
 * Whether a mistake may be the reason of another one, which is then not told. What relates the rows of two
 * lists fails in other operations than the list that is wrong.
 */
export const hides = (cause: Mistake, effect: Mistake, isSameOperation: boolean): boolean => {
  const effects = [...(hidden[cause.id] ?? []), ...(hidden[cause.group] ?? [])];
  const isHidden = effects.some((each) => each === effect.id || each === effect.group);
  return isHidden && (isSameOperation || effect.group === 'relations');
};
