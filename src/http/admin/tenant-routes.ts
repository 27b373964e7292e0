import * as E from '#fp-ts/Either';
import { listOf } from '../../contract/codecs/combinators.js';
import { formatProblem } from '../../contract/codecs/problem.js';
import type { LiveData } from '../../simulation/live-data.js';
import { decodeNewTenant, MadeTenant, NewTenant, OnDemandTenant } from '../../simulation/on-demand-tenant.js';
import type { ControlFailure } from '../operations/failures.js';
import { type AdminRoute, adminRoute } from './admin-route.js';

const tag = 'Tenants on demand';

const missing = (id: string): ControlFailure => ({ _tag: 'ControlMissing', what: `tenant on demand ${id}` });

/** The controls of tenants that are made while the server runs. */
export const tenantRoutes = ({ tenants }: LiveData): readonly AdminRoute[] => [
  adminRoute({
    id: 'createTenant',
    method: 'POST',
    path: '/tenants',
    tag,
    summary: 'Make a tenant that nobody else uses.',
    description:
      'It is a copy of a fixture as the file has it, with a user and credentials of its own, dated for this moment. The oldest tenants on demand are removed when there are too many (`--max-tenants`, `--max-tenant-rows`).',
    query: null,
    body: NewTenant,
    success: { status: 201, description: 'The tenant, with its credentials.', codec: MadeTenant },
    failures: { 404: 'There is no such fixture; the message lists those that there are.' },
    handle: async ({ body }) => {
      const wanted = decodeNewTenant(body);
      if (E.isLeft(wanted)) return invalid(wanted.left.map(formatProblem));
      const made = await tenants.create(wanted.right);
      if (E.isRight(made)) return made;
      if (made.left._tag === 'InvalidChange') return invalid(made.left.problems.map(formatProblem));
      const { source } = wanted.right;
      const name = source._tag === 'From' ? source.name : null;
      return E.left({
        _tag: 'ControlMissing',
        what: `fixture ${name ?? ''}; from: expected one of ${made.left.known.join(', ')}, or the id of a user of theirs`,
      });
    },
  }),
  adminRoute({
    id: 'listTenants',
    method: 'GET',
    path: '/tenants',
    tag,
    summary: 'List the tenants that were made on demand and have not ended.',
    description: 'Those of the fixtures are not among them. No secrets are shown.',
    query: null,
    body: null,
    success: { status: 200, description: 'The tenants, the oldest first.', codec: listOf(OnDemandTenant) },
    handle: () => E.right(tenants.list()),
  }),
  adminRoute({
    id: 'readTenant',
    method: 'GET',
    path: '/tenants/{id}',
    tag,
    summary: 'Tell about a tenant that was made on demand.',
    query: null,
    body: null,
    success: { status: 200, description: 'The tenant, without its secrets.', codec: OnDemandTenant },
    failures: { 404: 'There is no such tenant, or it has ended.' },
    handle: ({ params: { id = '' } }) => {
      const found = tenants.list().find((tenant) => tenant.id === id);
      return found === undefined ? E.left(missing(id)) : E.right(found);
    },
  }),
  adminRoute({
    id: 'removeTenant',
    method: 'DELETE',
    path: '/tenants/{id}',
    tag,
    summary: 'End a tenant that was made on demand.',
    query: null,
    body: null,
    success: { status: 204, description: 'Its credentials are worth nothing from now on.', codec: null },
    failures: { 404: 'There is no such tenant, or it has ended.' },
    handle: async ({ params: { id = '' } }) =>
      (await tenants.remove(id)) ? E.right(undefined) : E.left(missing(id)),
  }),
];

const invalid = (problems: readonly string[]): E.Either<ControlFailure, never> =>
  E.left({ _tag: 'ControlInvalid', problems });
