import { describeCredentials, describeRequest, type OutgoingRequest } from '../client/outgoing-request.js';
import { isJsonEqual, textOf } from '../common/json.js';
import { defaultLimit, maxLimit } from '../contract/page-and-limit.js';
import { itemValues, type Violation } from './check.js';
import { hasFilterValue } from './checks/filter-checks.js';
import {
  asPage,
  type Exchange,
  operationOf,
  type Page,
  requestedPage,
  totalItems,
  unknownFindingId,
  unknownRepoId,
} from './exchange.js';
import { hides, type Mistake, type MistakeId, mistakes } from './mistakes.js';
import type { RunResult } from './report.js';
import { contractFields, integerField, isRow, type ListItem, rowText } from './rows.js';

/** A violation, and what a second look at the responses of the run needs. */
type Failure = Readonly<{
  check: string;
  /** The last part of the id of the check. */
  part: string;
  /** The mistake that the check names. */
  mistake: string | null;
  violation: Violation;
  /** The last name in the path of the violation: a field, or a part of an envelope. */
  field: string;
  /** The operation of the request; undefined for a path that no operation has. */
  operation: string | undefined;
  list: 'findings' | 'prs';
  exchange: Exchange | undefined;
  page: Page | null;
  /** The status of the response if that is what is wrong. */
  status: number | null;
  run: Run;
}>;

type Run = Readonly<{
  responseTo: (request: OutgoingRequest) => Exchange | undefined;
  /** The responses of an operation to these credentials, as `describeCredentials` names them. */
  responses: (operation: string | undefined, credentials?: string) => readonly Exchange[];
  hasFailed: (check: string) => boolean;
}>;

type Meaning = MistakeId | null;

const [own, ownToken, none] = ['cookie: session', 'bearer: token', 'no credentials'];

const runOf = ({ results, exchanges }: RunResult): Run => {
  const byRequest = new Map(exchanges.map((each) => [describeRequest(each.request), each]));
  const failed = new Set(
    results.flatMap(({ check, verdict }) => (verdict._tag === 'Violated' ? check.id : [])),
  );
  return {
    responseTo: (request) => byRequest.get(describeRequest(request)),
    responses: (operation, credentials = own) =>
      exchanges.filter(
        ({ request: { method, path, auth } }) =>
          method === 'GET' &&
          operationOf(path)?.id === operation &&
          describeCredentials(auth) === credentials,
      ),
    hasFailed: (check) => failed.has(check),
  };
};

const failuresIn = (result: RunResult): readonly Failure[] => {
  const run = runOf(result);
  return result.results.flatMap(({ check: { id: check, level, mistake }, verdict }) => {
    if (level !== 'must' || verdict._tag !== 'Violated') return [];
    return verdict.violations.map((violation): Failure => {
      const exchange = run.responseTo(violation.request);
      const operation = operationOf(violation.request.path)?.id;
      const { path, got } = violation;
      return {
        check,
        part: check.split('.').at(-1) ?? '',
        mistake,
        violation,
        field: path.findLast((part) => !/^\d+$/.test(part)) ?? '',
        operation,
        list: operation === 'listPrs' ? 'prs' : 'findings',
        exchange,
        page: exchange === undefined ? null : asPage(exchange),
        status: path.length === 0 && typeof got === 'number' ? got : null,
        run,
      };
    });
  });
};

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
const isRefusal = (status: number | null): boolean => status === 401 || status === 403;

const isUnknown = ({ request: { path, query } }: Exchange): boolean =>
  path.endsWith(unknownFindingId) || query.some(([, value]) => value === unknownRepoId);

/** The statuses of plain requests with these credentials, which name an existing id where they need one. */
const plainStatuses = ({ run, operation }: Failure, credentials: string): readonly number[] =>
  run
    .responses(operation, credentials)
    .filter((each) => each.request.query.length === 0 && !isUnknown(each))
    .map(({ response }) => response.status);

const isAccepted = (failure: Failure, credentials: string): boolean =>
  plainStatuses(failure, credentials).some(isSuccess);

/** The session is refused, with or without parameters; null if something else is wrong with its responses. */
const ofSession = (failure: Failure): Meaning =>
  plainStatuses(failure, own).some(isRefusal) ? 'cookie-refused' : null;

/** Credentials get a 2xx that should not: the widest of what is accepted. */
const ofAccepted = (failure: Failure): MistakeId => {
  const { part } = failure;
  if (isAccepted(failure, none)) return 'no-credentials';
  const isBearer = /^(?!bearer-and).*bearer|^authorization/.test(part);
  const isInvalid = /^(?:invalid|both-invalid)/.test(part);
  if (isInvalid || isAccepted(failure, isBearer ? 'bearer: invalid token' : 'cookie: invalid session'))
    return 'invalid-credentials';
  if (part.startsWith('expired')) return 'expired-credentials';
  if (/^(?:shortened|lengthened|recased)/.test(part)) return 'similar-credentials';
  if (part.startsWith('bearer')) return 'bearer-accepted';
  return part === 'token-as-cookie' || part === 'session-as-bearer' ? 'other-kind' : 'other-header';
};

/** A valid token is not answered as the session: it is unknown, or shows nothing that the session sees. */
const ofToken = (failure: Failure): Meaning => {
  const { run, operation, violation, status } = failure;
  const isSameFor = (each: Exchange): boolean =>
    each.request.path === violation.request.path && each.response.status === status;
  if (operation === 'getFinding' && run.responses(operation).some(isSameFor))
    return status === 404 ? 'detail-missing' : null;
  if (!isAccepted(failure, own)) return ofSession(failure);
  if (isRefusal(status) || plainStatuses(failure, none).some((each) => each === status))
    return 'bearer-refused';
  const rowsBy = (credentials: string): readonly string[] =>
    run
      .responses('listPrs', credentials)
      .flatMap((each) => asPage(each)?.items ?? [])
      .flatMap(({ value }) => (isRow(value) ? [rowText(contractFields(value))] : []));
  const [known, shown] = [new Set(rowsBy(own)), rowsBy(ownToken)];
  return shown.length > 0 && !shown.some((row) => known.has(row)) ? 'foreign-token' : 'token-differs';
};

/** A valid credential is refused. */
const ofRefused = ({ violation: { request } }: Failure): MistakeId =>
  request.auth.bearer === null ? 'cookie-refused' : 'bearer-refused';

const ofCredentials = (failure: Failure): Meaning => {
  const { part, status, violation, check } = failure;
  if (part === 'valid-with-parameters') return isAccepted(failure, own) ? 'parameters-401' : 'cookie-refused';
  if (/-not-read$|^cookie-and/.test(part))
    return isAccepted(failure, own) ? 'authorization-read' : ofSession(failure);
  if (part === 'bearer' && violation.expected === 'status 200') return ofToken(failure);
  if (part.startsWith('same-scope')) return ofToken(failure);
  if (violation.expected === 'status 200') {
    const areAccepted = isAccepted(failure, own) && isAccepted(failure, ownToken);
    if (part === 'both' && areAccepted) return 'both-refused';
    if (!isRefusal(status)) return part === 'cookie' && status === 404 ? 'detail-missing' : null;
    if (part === 'cookie') return 'cookie-refused';
    if (!isAccepted(failure, own)) return ofSession(failure);
    if (!/getFinding|listPrs/.test(check)) return 'authorization-read';
    return isAccepted(failure, ownToken) ? 'both-refused' : 'bearer-refused';
  }
  if (status === null) return 'refusal-body';
  if (/none-with-parameters|unknown-to-strangers/.test(part)) {
    if (isAccepted(failure, none)) return 'no-credentials';
    if (plainStatuses(failure, none).includes(401)) return 'credentials-late';
  }
  return isSuccess(status) ? ofAccepted(failure) : 'refusal-status';
};

/** The response to the same operation for an id that nobody has. */
const unknownResponse = ({ run, operation, violation }: Failure): Exchange | undefined =>
  [describeCredentials(violation.request.auth), own]
    .flatMap((credentials) => run.responses(operation, credentials))
    .find(isUnknown);

/** An id that no finding of the caller has is not answered with the 404 of the contract. */
const ofUnknownFinding = (failure: Failure): MistakeId => {
  const { exchange, status, part, violation } = failure;
  if (exchange?.response.status === 404) return 'not-found-body';
  if (isRefusal(status) && !isAccepted(failure, describeCredentials(violation.request.auth)))
    return ofRefused(failure);
  if (unknownResponse(failure)?.response.status !== 404) return 'not-found-status';
  return part.startsWith('id-exact') && isSuccess(status) ? 'id-inexact' : 'odd-id';
};

/** The finding of another user: it is served, or answered otherwise than one that nobody has. */
const ofForeignFinding = (failure: Failure): Meaning => {
  const { exchange, violation } = failure;
  const unknown = unknownResponse(failure)?.response;
  if (exchange === undefined || unknown === undefined) return null;
  const { response, body } = exchange;
  const id = textOf(body, 'id');
  if (isSuccess(response.status) && id && violation.request.path.endsWith(`/${encodeURIComponent(id)}`))
    return 'foreign-finding';
  const isAlike = unknown.status === response.status && unknown.text === response.text;
  return isAlike ? ofUnknownFinding(failure) : 'foreign-id';
};

/** Valid parameters get no page. */
const ofNoPage = (failure: Failure): Meaning => {
  const { exchange, violation } = failure;
  const status = exchange?.response.status ?? null;
  if (status === 200) return 'list-form';
  const isWelcome = isAccepted(failure, describeCredentials(violation.request.auth));
  if (!isWelcome) return isRefusal(status) ? ofRefused(failure) : null;
  if (status === 401) return 'parameters-401';
  const isUnknownRefused = toUnknownRepo(failure).some((each) => asPage(each) === null);
  const names = violation.request.query.map(([name]) => name);
  if (names.includes('repoId') && isUnknownRefused) return 'repo-id-error';
  if (names.join() === 'repoId') return failure.check.startsWith('isolation.') ? 'repo-id-error' : 'odd-id';
  return 'refused';
};

/** The page that the same request gets without some of its parameters; null if the run has not sent that. */
const pageWithout = ({ run, violation: { request } }: Failure, ...names: readonly string[]): Page | null => {
  const query = request.query.filter(([name]) => !names.includes(name));
  const exchange = run.responseTo({ ...request, query });
  return exchange === undefined ? null : asPage(exchange);
};

/** The responses to a `repoId` that nobody has, without another parameter. */
const toUnknownRepo = ({ run, operation }: Failure): readonly Exchange[] =>
  run.responses(operation).filter((each) => isUnknown(each) && each.request.query.length === 1);

/** A `repoId` finds rows of other repositories. If an unknown one does, too, the parameter is ignored. */
const ofWrongRepoId = (failure: Failure): MistakeId =>
  toUnknownRepo(failure).some((each) => (asPage(each)?.items.length ?? 0) > 0)
    ? 'repo-id-ignored'
    : 'repo-id-inexact';

/** A `repoId` that finds no rows of the caller finds something, or is an error. */
const ofNoRows = (failure: Failure, page: Page): Meaning => {
  const { check, field, violation } = failure;
  if (field === 'totalItems' && page.items.length === 0) return ofTotals(failure);
  const mistake = ofWrongRepoId(failure);
  if (mistake === 'repo-id-ignored') return mistake;
  if (violation.request.query.some(([, value]) => value === unknownRepoId)) return 'together';
  if (!check.startsWith('isolation.')) return mistake;
  const id = new Map(violation.request.query).get('repoId');
  return rowsOf(page).some(({ repoId }) => repoId === id) ? 'foreign-repo' : 'together';
};

const filterNames = ['repoId', 'severity', 'status'];

/** The pages of a whole list that the run has seen, as far as the contract says what they are. */
const plainPages = ({ run, operation }: Failure): readonly Page[] =>
  run.responses(operation).flatMap((each) => {
    const page = asPage(each);
    const isPlain = each.request.query.every(([name]) => name === 'page' || name === 'limit');
    return page !== null && isPlain && requestedPage(page).isCovered ? [page] : [];
  });

/** Pages have as many items as if each began at this row and had this size. */
const areAsIf = (
  pages: readonly Page[],
  cut: (page: ReturnType<typeof requestedPage>) => readonly [start: number, size: number],
): boolean =>
  pages.every((page) => {
    const [start, size] = cut(requestedPage(page));
    return page.items.length === Math.min(size, Math.max(0, totalItems(page) - start));
  });

const isRightlyCut = (pages: readonly Page[]): boolean =>
  areAsIf(pages, ({ number, size }) => [(number - 1) * size, size]);

/** The pages of each size that follow each other. */
const pairsOfPages = (pages: readonly Page[]): readonly (readonly [Page, Page])[] =>
  pages.flatMap((page) =>
    pages
      .filter(
        (next) =>
          requestedPage(next).size === requestedPage(page).size &&
          requestedPage(next).number === requestedPage(page).number + 1,
      )
      .map((next) => [page, next] as const),
  );

/** How a list is cut into pages; `otherwise` if a second look at its pages shows nothing. */
const ofPaging = (failure: Failure, otherwise: Meaning): Meaning => {
  const plain = plainPages(failure);
  const pages = plain.filter((page) => requestedPage(page).hasPage);
  const largest = Math.max(
    ...failure.run.responses(failure.operation).map((each) => asPage(each)?.items.length ?? 0),
  );
  if (!isRightlyCut(pages)) {
    if (areAsIf(pages, ({ number, size }) => [number * size, size])) return 'page-base';
    if (areAsIf(plain, ({ number }) => [(number - 1) * largest, largest])) return 'limit-ignored';
    if (
      areAsIf(plain, ({ number, size }) => [(number - 1) * Math.min(size, largest), Math.min(size, largest)])
    )
      return 'limit-cut-early';
  }
  const pairs = pairsOfPages(pages).filter(
    ([first]) => requestedPage(first).number === 1 && first.items.length > 0,
  );
  if (pairs.length > 0 && pairs.every(([one, next]) => isJsonEqual(itemValues(one), itemValues(next))))
    return 'page-ignored';
  if (new Set(plain.map(totalItems)).size > 1) return 'total-items';
  const isShort = pairsOfPages(pages).some(
    ([page, next]) => page.items.length < requestedPage(page).size && next.items.length > 0,
  );
  return isShort ? 'page-rows' : otherwise;
};

/** A row is not on the pages of another size, or twice; null if it is there with another field. */
const ofRowsOfPages = (failure: Failure): Meaning =>
  ofPaging(failure, failure.field === 'items' || failure.field === 'id' ? 'page-rows' : null);

/** Without `limit`, pages have another size, and say so, though those with a limit are as asked. */
const ofDefaultLimit = (failure: Failure): Meaning => {
  const pages = plainPages(failure);
  const page = pages.find((each) => !requestedPage(each).hasLimit && !requestedPage(each).hasPage);
  if (page === undefined || failure.page === null || requestedPage(failure.page).hasLimit) return null;
  const isOther = page.items.length !== Math.min(defaultLimit, totalItems(page));
  const isFollowed = isRightlyCut(pages.filter((each) => requestedPage(each).hasLimit));
  const says = integerField(page.value, 'limit') ?? 0;
  return isOther && isFollowed && page.items.length === Math.min(says, totalItems(page))
    ? 'default-limit'
    : null;
};

const ofLimit = (failure: Failure): Meaning =>
  ofDefaultLimit(failure) ??
  ofPaging(failure, isRightlyCut(plainPages(failure)) ? ofSaidLimit(failure) : null);

/** What the envelopes say of a list that is too short to show which sizes are cut. */
const ofSaidLimit = (failure: Failure): MistakeId => {
  const pages = plainPages(failure);
  const largest = Math.max(...pages.map(({ value }) => integerField(value, 'limit') ?? 0));
  const isReduced =
    largest < maxLimit &&
    pages.every(
      (page) =>
        page.value.limit === Math.min(requestedPage(page).size, largest) && page.items.length <= largest,
    );
  return isReduced ? 'limit-cut-early' : 'page-echo';
};

/** The envelope says another page: the one that was sent, or only the envelope is wrong. */
const ofEnvelopePage = (failure: Failure): Meaning => {
  const { violation, page, run } = failure;
  const ofPages = ofPaging(failure, null);
  if (ofPages !== null || page === null) return ofPages;
  const { query } = violation.request;
  const first = [
    query.filter(([name]) => name !== 'page'),
    query.map(([name, value]) => [name, name === 'page' ? '1' : value] as const),
  ].flatMap((each) => {
    const response = run.responseTo({ ...violation.request, query: each });
    return (response && asPage(response)) ?? [];
  });
  const isFirst = first.some((each) => isJsonEqual(itemValues(each), itemValues(page)));
  if (requestedPage(page).number > 1 && isFirst) return 'together';
  const isAlwaysWrong = plainPages(failure).some((each) => each.value.page !== requestedPage(each).number);
  return first.length > 0 || isAlwaysWrong ? 'page-echo' : null;
};

const ofDefaultPage = (failure: Failure, page: Page): Meaning => {
  const ofPages = ofPaging(failure, null);
  if (ofPages === 'page-base') return ofPages;
  const first = plainPages(failure).find(
    (each) => requestedPage(each).hasPage && requestedPage(each).number === 1,
  );
  const isOther = first !== undefined && !isJsonEqual(itemValues(first)[0], itemValues(page)[0]);
  if (isOther) return 'default-page';
  return failure.field === 'page' ? 'page-echo' : (ofDefaultLimit(failure) ?? ofPages);
};

const ofEnvelopeField = ({ field, exchange, violation }: Failure): MistakeId => {
  if (Number.isInteger(violation.got)) return 'total-items';
  const limit = new Map(exchange?.request.query).get('limit') ?? '1';
  const isOddLimit = violation.got !== undefined && !/^[1-9]\d*$/.test(limit);
  return isOddLimit && (field === 'limit' || field === 'totalPages') ? 'page-echo' : 'envelope-field';
};

const ofMaximum = ({ page }: Failure): Meaning => {
  if (page === null) return null;
  return integerField(page.value, 'limit') === null ? 'envelope-field' : 'limit-not-cut';
};

type Filters = readonly (readonly [name: string, value: string])[];

/** The filters of a request, without those that are named. */
const filtersOf = ({ violation }: Failure, ...without: readonly string[]): Filters =>
  violation.request.query.filter(([name]) => filterNames.includes(name) && !without.includes(name));

/** The rows of the whole list in their order; null if the run has not seen all of them. */
const knownRows = (failure: Failure): readonly ListItem[] | null => {
  const pages = plainPages(failure)
    .filter((page) => requestedPage(page).hasPage && requestedPage(page).size === maxLimit)
    .sort((one, other) => requestedPage(one).number - requestedPage(other).number);
  const rows = pages.flatMap(rowsOf);
  return pages[0] !== undefined && rows.length === totalItems(pages[0]) ? rows : null;
};

const haveValues = (rows: readonly ListItem[], filters: Filters): readonly ListItem[] =>
  rows.filter((row) => filters.every(([name, value]) => hasFilterValue(row, name, value)));

const rowsOf = ({ items }: Page): readonly ListItem[] =>
  items.flatMap(({ value }) => (isRow(value) ? [value] : []));

/** A filter that items of a page do not match: on its own, or only together with others. */
const ofUnmatched = (failure: Failure): Meaning => {
  const { page, list, part, run } = failure;
  const rows = page === null ? [] : rowsOf(page);
  const unmatched = filtersOf(failure).find(([name, value]) =>
    rows.some((row) => !hasFilterValue(row, name, value)),
  );
  if (unmatched === undefined) return null;
  const [name] = unmatched;
  const ofStates = ['open.only', 'merged.only', 'closed.only', 'other-states'].map(
    (each) => `status.${each}`,
  );
  const checks = name === 'repoId' ? ['repo-id'] : name === 'status' ? [name, ...ofStates] : [name];
  if (part !== name && !checks.some((each) => run.hasFailed(`${list}.${each}`))) return 'together';
  return name === 'repoId' ? ofWrongRepoId(failure) : ofExtraState(failure);
};

/** Totals of a filtered list: which filter they do not count, or count too much. */
const ofTotals = (failure: Failure): MistakeId => {
  const { page, field, list } = failure;
  const names = filtersOf(failure).map(([name]) => name);
  if (names.length === 0)
    return ofPaging(failure, field === 'totalPages' ? 'total-pages' : 'total-items') ?? 'total-items';
  const ofFilter = ofUnmatched(failure);
  if (ofFilter !== null) return ofFilter;
  const [got, rows] = [page && totalItems(page), knownRows(failure)];
  if (got === null || rows === null) return 'wrong-totals';
  const countWithout = (...names: readonly string[]) => haveValues(rows, filtersOf(failure, ...names)).length;
  const narrowing = list === 'findings' ? names.filter((name) => name !== 'repoId') : [];
  const right = countWithout(...narrowing);
  // A count that is wrong by one may be that of other rows by chance.
  const areCountedBy = (...without: readonly string[]) =>
    got === countWithout(...without) && Math.abs(got - right) > 1;
  const counted = [narrowing.slice(1), narrowing.slice(0, -1), []];
  if (narrowing.length > 0 && counted.some((without) => areCountedBy(...without))) return 'findings-totals';
  if (field === 'totalPages' && got === right) return 'total-pages';
  if (list === 'prs' && names.includes('status') && areCountedBy('status')) return 'prs-totals';
  return names.includes('repoId') && areCountedBy('repoId', ...narrowing) ? 'repo-id-totals' : 'wrong-totals';
};

/** A page has too many or too few items for its envelope. */
const ofPageItems = (failure: Failure): Meaning => {
  const { list, run } = failure;
  const hasFailed = (part: string) => run.hasFailed(`${list}.paging.${part}`);
  const ofDefault = ofDefaultLimit(failure);
  const names = filtersOf(failure).map(([name]) => name);
  if (ofDefault !== null || names.length === 0) {
    const ofPages = ofPaging(failure, hasFailed('total') ? 'total-items' : null);
    return (
      ofDefault ?? (ofPages === 'page-rows' && !hasFailed('partition') && !hasFailed('ids') ? null : ofPages)
    );
  }
  const ofTotal = ofTotals(failure);
  if (ofTotal !== 'wrong-totals') return ofTotal;
  return list === 'prs' && run.hasFailed('prs.filter-before-paging') ? ofShortPage(failure) : null;
};

/** The items of a filtered page: which filter they do not match, or that they are from another page. */
const ofItems = (failure: Failure, page: Page): Meaning => {
  const { check, list, field } = failure;
  if (field.startsWith('total')) return ofTotals(failure);
  const ofFilter = ofUnmatched(failure);
  if (ofFilter !== null) return ofFilter;
  const unfiltered = pageWithout(failure, 'severity', 'status');
  const known = new Set(unfiltered?.items.map(({ value }) => isRow(value) && value.id));
  const { number, size } = requestedPage(page);
  const rows = rowsOf(page);
  const isFromElsewhere = known.size > 0 && rows.some(({ id }) => !known.has(id));
  if (
    list === 'findings' &&
    isFromElsewhere &&
    number === 1 &&
    rows.length <= size &&
    areFilteredFirst(failure)
  )
    return 'findings-filter-first';
  return check.endsWith('.combinations') ? 'together' : null;
};

/** First pages by the same filters are as full as if the list was filtered before it was cut. */
const areFilteredFirst = (failure: Failure): boolean => {
  const known = knownRows(failure);
  const namesOf = (filters: Filters): string => filters.map(([name]) => name).join();
  return failure.run.responses(failure.operation).every((each) => {
    const page = asPage(each);
    const filters = each.request.query.filter(([name]) => filterNames.includes(name));
    if (known === null || page === null || namesOf(filters) !== namesOf(filtersOf(failure))) return true;
    const { number, size } = requestedPage(page);
    const count = Math.min(size, maxLimit, haveValues(known, filters).length);
    return number !== 1 || page.items.length === count;
  });
};

const ofRepoId = (failure: Failure, page: Page): Meaning => {
  if (failure.field === 'totalItems') return ofTotals(failure);
  const isOther = filtersOf(failure).some(([name, value]) =>
    page.items.some(({ value: row }) => isRow(row) && !hasFilterValue(row, name, value)),
  );
  return isOther ? ofWrongRepoId(failure) : 'repo-id-misses';
};

/** The states of a status that it does not find. */
const ofMissedState = ({ check, violation, run }: Failure): Meaning => {
  const named = /^prs\.status\.(\w+)/.exec(check)?.[1];
  const status = named ?? new Map(violation.request.query).get('status') ?? '';
  const isMissed = (state: string) => run.hasFailed(`prs.status.${status}.finds-${state}`);
  if (status !== 'closed') return isMissed(status) ? 'status-misses' : null;
  if (isMissed('closed') || isMissed('cancelled')) return 'closed-misses';
  return isMissed('null') ? 'closed-null' : null;
};

/** A page of filtered pull requests is not full: a state is missed, or the page was cut before the filter. */
const ofShortPage = (failure: Failure): Meaning => {
  const { page } = failure;
  const rows = knownRows(failure);
  if (page === null || rows === null) return ofMissedState(failure);
  const { number, size } = requestedPage(page);
  const late = haveValues(rows.slice((number - 1) * size, number * size), filtersOf(failure));
  const isTelling = late.length > 0 || totalItems(page) === rows.length;
  const isLate = isTelling && isJsonEqual(late.map(contractFields), rowsOf(page).map(contractFields));
  return isLate ? 'prs-filter-late' : (ofMissedState(failure) ?? 'together');
};

/** A status that lets others through: all of them, or some. */
const ofExtraState = (failure: Failure): MistakeId => {
  const { page, list } = failure;
  const all = pageWithout(failure, 'status');
  const isAll = page && all && isJsonEqual(itemValues(page), itemValues(all));
  return list === 'findings' || isAll ? 'filter-ignored' : 'status-extra';
};

const ofDetail = ({ status, run, violation: { request } }: Failure): Meaning => {
  if (status === null) return 'detail-differs';
  if (isRefusal(status)) return 'cookie-refused';
  if (status !== 404) return null;
  const listed = new Set(
    run.responses('listFindings').flatMap((each) => {
      const page = asPage(each);
      return page === null
        ? []
        : rowsOf(page).map(({ id }) => `${each.request.path}/${encodeURIComponent(String(id))}`);
    }),
  );
  const details = run.responses('getFinding').filter((each) => listed.has(each.request.path));
  const isEscaped = ({ path }: OutgoingRequest): boolean => path.includes('%');
  // Plain ids are found, and those that need escaping are not.
  const areEscapedMissing =
    details.some((each) => !isEscaped(each.request)) &&
    details.every((each) => isEscaped(each.request) === (each.response.status === 404));
  return isEscaped(request) && areEscapedMissing ? 'id-not-decoded' : 'detail-missing';
};

const ofErrorBody = ({ exchange }: Failure): Meaning => {
  const status = exchange?.response.status;
  return status === 401 ? 'refusal-body' : status === 404 ? 'not-found-body' : null;
};

const ofType = ({ violation: { got } }: Failure): MistakeId =>
  typeof got === 'number' && got < 0 ? 'negative-count' : 'wrong-type';

/** The same for checks that need a page, which a response may lack. */
const onItsPage =
  (meaning: (failure: Failure, page: Page) => Meaning) =>
  (failure: Failure): Meaning =>
    failure.page === null ? ofNoPage(failure) : meaning(failure, failure.page);

/** What responses say of failures that can mean several mistakes: the first row counts that has the check. */
const secondLooks: readonly (readonly [check: RegExp, meaning: (failure: Failure) => Meaning])[] = [
  [/^credentials\.|^finding\.unknown-to-strangers$/, ofCredentials],
  [/^isolation\.finding(?:-by-token)?$/, ofForeignFinding],
  [/^isolation\.|repo-id-(?:unknown|exact|odd)$/, onItsPage(ofNoRows)],
  [/^finding\.(?:unknown|id-exact)/, ofUnknownFinding],
  [/^finding\.as-listed$/, ofDetail],
  [/^finding\.pr-count-bounds$/, (failure) => (failure.status === null ? 'pr-count' : ofDetail(failure))],
  [/\.envelope\.fields$/, ofEnvelopeField],
  [/\.types$/, ofType],
  [/^repos\.array$|\.page$(?<!envelope\.page)|\.parameters$/, ofNoPage],
  [/\.envelope\.page$/, ofEnvelopePage],
  [/\.envelope\.limit$/, ofLimit],
  [/\.envelope\.items$/, ofPageItems],
  [/\.paging\.total/, (failure) => ofPaging(failure, 'total-items')],
  [/\.paging\.(?:partition|ids)$/, ofRowsOfPages],
  [/\.paging\.default-limit$/, ofLimit],
  [/\.paging\.default-page$/, onItsPage(ofDefaultPage)],
  [/\.paging\.maximum-limit/, ofMaximum],
  [/\.repo-id$/, onItsPage(ofRepoId)],
  [/\.filtered-totals$|-and-status$(?<!severity-and-status)|\.combinations-totals$/, onItsPage(ofTotals)],
  [/^prs\.filter-before-paging$/, onItsPage(ofShortPage)],
  [/^prs\.status\..*finds-/, ofMissedState],
  [/^prs\.status\./, ofExtraState],
  [/^findings\.(?:severity|status|filter-|repo-id-and-)|\.combinations$/, onItsPage(ofItems)],
  [/^service\.error-body$/, ofErrorBody],
];

const ofCheck = (failure: Failure): string | null => {
  const [, secondLook] = secondLooks.find(([check]) => check.test(failure.check)) ?? [];
  return failure.mistake ?? secondLook?.(failure) ?? null;
};

/** What a response says on its own, whatever it was compared with. */
const ofResponse = (failure: Failure): Meaning => {
  const { exchange, operation, status } = failure;
  if (exchange === undefined || operation === undefined || exchange.request.method !== 'GET') return null;
  if (exchange.response.status >= 500) return 'server-error';
  if (exchange.body !== undefined || (status !== null && status !== 200)) return null;
  return ofErrorBody(failure) ?? 'not-json';
};

const isOfShape = ({ check }: Failure): boolean =>
  /\.(?:fields|types|nulls|timestamps|words|no-pr-count|unique-keys)$/.test(check);

/** The fields that relate the rows of one list to those of another. */
const joins =
  /^(?:listConnectedRepos (?:id|owner|repo)|listFindings (?:id|repoId)|listPrs (?:id|repoId|prState))$/;
const isRelation =
  /^(?:finding\.pr-count|repos\.open-|repos\.owner-|prs\.(?:finding|repo-)|findings\.repo-connected)/;

/**
 * A field that is wrong in itself makes fail whatever compares it, filters by it or relates rows by it.
 * `broken` are such fields, with their operation.
 */
const ofBrokenField = (failure: Failure, broken: ReadonlyMap<string, string>): string | null => {
  const { operation, field, check, violation, list } = failure;
  // The order is judged by timestamps of any form.
  if (isOfShape(failure) || check === 'repos.order') return null;
  if (/^(?:credentials|isolation)\./.test(check) && field !== 'totalItems') return null;
  const reason = /\b(?:since|in) (?:\w+\.)?(\w+)/.exec(violation.expected)?.[1] ?? '';
  const filters = filtersOf(failure).map(([name]) =>
    name === 'status' && list === 'prs' ? 'prState' : name,
  );
  const fields = [
    ...[field, reason, ...filters].map((name) => `${operation} ${name}`),
    ...(operation === 'listConnectedRepos' ? [] : [`listFindings ${field}`]),
    ...(isRelation.test(check) ? [...broken.keys()].filter((name) => joins.test(name)) : []),
  ];
  return fields.map((name) => broken.get(name)).find((each) => each !== undefined) ?? null;
};

/** A mistake that failed checks mean: their ids, and the violation that shows it. */
export type FoundMistake = Readonly<{ mistake: Mistake; checks: readonly string[]; example: Violation }>;

/**
 * What the failed checks of a run mean, the gravest first. What follows from another mistake counts as that
 * one. A check whose failure means none is in none of them.
 */
export const mistakesIn = (result: RunResult): readonly FoundMistake[] => {
  const failures = failuresIn(result);
  const broken = new Map(
    failures.filter(isOfShape).flatMap((failure) => {
      const mistake = failure.field === '' || ofResponse(failure) !== null ? null : ofCheck(failure);
      return mistake === null ? [] : [[`${failure.operation} ${failure.field}`, mistake] as const];
    }),
  );
  const explanations = failures.flatMap((failure) => {
    const id = ofBrokenField(failure, broken) ?? ofResponse(failure) ?? ofCheck(failure);
    return id === null ? [] : [{ failure, id }];
  });
  const causes = new Map(
    explanations.map(({ failure: { operation }, id }) => [`${id} ${operation}`, { id, operation }]),
  );
  const causeOf = (effect: Mistake, operation: string | undefined): Mistake => {
    const [cause] = mistakes.flatMap((mistake) =>
      Array.from(causes.values())
        .filter(({ id }) => id === mistake.id)
        .filter((each) => hides(mistake, effect, each.operation === operation))
        .map((each) => ({ mistake, operation: each.operation })),
    );
    return cause === undefined ? effect : causeOf(cause.mistake, cause.operation);
  };
  const attributions = explanations.flatMap(({ failure, id }) => {
    const mistake = mistakes.find((each) => each.id === id);
    return mistake === undefined ? [] : [{ failure, id, cause: causeOf(mistake, failure.operation) }];
  });
  return mistakes.flatMap((mistake) => {
    const all = attributions.filter(({ cause }) => cause === mistake);
    const [example = all[0]] = all.filter(({ id }) => id === mistake.id);
    return example === undefined
      ? []
      : [
          {
            mistake,
            checks: [...new Set(all.map(({ failure }) => failure.check))],
            example: example.failure.violation,
          },
        ];
  });
};
