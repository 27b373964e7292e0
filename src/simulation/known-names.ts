import * as E from '#fp-ts/Either';
import { emailKey } from '../accounts/account-records.js';
import { unknownOperation } from '../api/request.js';
import { expectedOneOf } from '../common/messages.js';
import { type Problem, problem } from '../contract/codecs/problem.js';
import { operations } from '../contract/operations.js';
import type { Journal, JournalFilter } from './journal.js';
import { isControlPath } from './paths.js';

/** A tenant, by all that it can be named by. Null: the address is not known. */
export type KnownTenant = Readonly<{ name: string; id: string; email: string | null }>;

/** How a tenant is named, for descriptions. */
export const tenantNames = 'the name of its fixture, the id or the e-mail address of its user';

/** The one of some tenants that a text names: by its name, else its user id, else its e-mail address. */
export const tenantNamed = <T>(
  text: string,
  tenants: readonly T[],
  known: (tenant: T) => KnownTenant,
): T | undefined => {
  const key = emailKey(text);
  return (
    tenants.find((tenant) => known(tenant).name === text) ??
    tenants.find((tenant) => known(tenant).id === text) ??
    tenants.find((tenant) => {
      const { email } = known(tenant);
      return email !== null && emailKey(email) === key;
    })
  );
};

/** Why a text names none of some tenants. */
export const unknownTenant = (text: string, tenants: readonly KnownTenant[]): string =>
  expectedOneOf(
    text,
    tenants.map(({ name }) => name),
    tenants.flatMap(({ id, email }) => (email === null ? [id] : [id, email])),
  );

/**
 * Whether a page is the one with this name, or one of those that the name stands for, as routers and the
 * journal write it: `GET /explore/findings/:id`.
 */
export const standsFor = (name: string, page: string): boolean => {
  if (!name.includes('/:')) return name === page;
  const [segments, pageSegments] = [name.split('/'), page.split('/')];
  return (
    segments.length === pageSegments.length &&
    segments.every((segment, index) => segment === pageSegments[index] || /^:./.test(segment))
  );
};

/** The method and the path of a page. Neither the controls nor the checks of health can be made to fail. */
export const isPage = (name: string): boolean =>
  /^(?:GET|POST) \/\S*$/.test(name) &&
  !/ \/(?:api|healthz|readyz)(?:\/|$)/.test(name) &&
  !isControlPath(name.replace(/^\w+ /, ''));

/** Why a text names no operation, and none of some pages. `seen`: what else may have been meant. */
export const noOperation = (text: string, pages: readonly string[], seen: readonly string[] = []): string => {
  const known = [...Object.keys(operations), ...pages];
  // Style sheets and the like are not worth listing.
  const listed = known.filter((name) => !/\.\w+$/.test(name));
  return expectedOneOf(text, listed, [...known, ...seen]);
};

/**
 * What is served besides operations: the pages, as a router writes them, and the tenants. Null: the pages are
 * not loaded yet, so that a name may be that of one.
 */
type Served = Readonly<{
  pages: readonly string[] | null;
  tenants: () => readonly KnownTenant[];
  /** Why a patch of the data of a tenant would be refused; a line each. Null: no data can be changed. */
  problemsOf: ((tenant: string, patch: Readonly<Record<string, unknown>>) => readonly string[]) | null;
}>;

/**
 * What rules and filters can name. Each name that is not known is refused: it would match nothing, and nobody
 * would notice.
 */
export const knownNames = (journal: Pick<Journal, 'seen'>) => {
  let served: Served = { pages: [], tenants: () => [], problemsOf: null };

  const tenants = (): readonly KnownTenant[] => {
    const seen = journal.seen('tenant').map((id) => ({ name: id, id, email: null }));
    const byId = new Map<string, KnownTenant>();
    for (const tenant of [...served.tenants(), ...seen])
      if (!byId.has(tenant.id)) byId.set(tenant.id, tenant);
    return Array.from(byId.values());
  };
  /** A rule or a filter with the user id of the tenant that it names. `left`: what it could have named. */
  const withTenantId = <A extends Readonly<{ tenant?: string | undefined }>>(
    value: A,
  ): E.Either<string, A> => {
    const { tenant } = value;
    if (tenant === undefined) return E.right(value);
    const known = tenants();
    const found = tenantNamed(tenant, known, (each) => each);
    return found === undefined
      ? E.left(unknownTenant(tenant, known))
      : E.right({ ...value, tenant: found.id });
  };

  return {
    /** Told by whoever serves requests. */
    serve: (next: Partial<Served>): void => {
      served = { ...served, ...next };
    },
    pages: (): Served['pages'] => served.pages,
    withTenantId,
    /** What is wrong with the patch of a rule. Without a tenant, that depends on who sends the request. */
    patchProblems: (tenant: string | undefined, patch: Readonly<Record<string, unknown>>) => {
      if (served.problemsOf === null) return ['then: there are no fixtures whose data could change'];
      const [only, ...others] = served.tenants();
      const whose = tenant ?? (others.length === 0 ? only?.id : undefined);
      return whose === undefined ? [] : served.problemsOf(whose, patch).map((line) => `then/patch${line}`);
    },
    /** A filter of the journal with the user id of its tenant. `left`: what in it names nothing. */
    filter: (fields: Partial<JournalFilter>): E.Either<readonly Problem[], Partial<JournalFilter>> => {
      const { operation } = fields;
      const pages = [...(served.pages ?? []), unknownOperation];
      const seen = journal.seen('operation');
      const known = [...Object.keys(operations), ...pages, ...seen];
      const problems =
        operation === undefined || known.includes(operation) || (served.pages === null && isPage(operation))
          ? []
          : [problem(['operation'], noOperation(operation, pages, seen))];
      const filter = withTenantId(fields);
      if (E.isLeft(filter)) return E.left([...problems, problem(['tenant'], filter.left)]);
      return problems.length > 0 ? E.left(problems) : filter;
    },
  };
};

export type KnownNames = ReturnType<typeof knownNames>;
