import test from 'ava';
import fc from 'fast-check';
import { arbitrary } from '../../src/storage-kit/conformance/api-cases.js';
import { asFixture, at, dataset, now } from '../_data.js';
import { runs } from '../_runs.js';
import { cookie, sharedServer } from '../_server.js';
import { aFixtureStorage } from '../_storage.js';
import * as model from './_contract-model.js';

const { tenant, id: anId, findingsQuery, prsQuery } = arbitrary;

/** One server for the whole file. Each run replaces what it serves. */
const { storage, replace } = aFixtureStorage([]);
const { ask: request } = sharedServer(test, [], { storage, strict: true });

const ask = async (path: string, query: model.ListQuery = {}, who = 'left'): Promise<unknown> => {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return (await request(`${path}?${parameters}`, cookie(who))).body;
};

const serveTenants = (left: model.Tenant, right: model.Tenant): void =>
  replace([dataset(asFixture('left', left)), dataset(asFixture('right', right))]);

test.serial('any page of findings equals the model’s, whatever data another tenant has', async (t) => {
  await fc.assert(
    fc.asyncProperty(tenant, tenant, findingsQuery, async (left, right, query) => {
      serveTenants(left, right);
      t.deepEqual(await ask('/api/v1/findings', query), model.findings(left, query));
    }),
    runs(150),
  );
});

test.serial('any page of pull requests equals the model’s, whatever data another tenant has', async (t) => {
  await fc.assert(
    fc.asyncProperty(tenant, tenant, prsQuery, async (left, right, query) => {
      serveTenants(left, right);
      t.deepEqual(await ask('/api/v1/prs', query), model.prs(left, query));
    }),
    runs(150),
  );
});

test.serial('the repositories of both tenants equal the model’s', async (t) => {
  await fc.assert(
    fc.asyncProperty(tenant, tenant, async (left, right) => {
      serveTenants(left, right);
      t.deepEqual(await ask('/api/v1/repos'), model.repos(left, at(now)));
      t.deepEqual(await ask('/api/v1/repos', {}, 'right'), model.repos(right, at(now)));
    }),
    runs(150),
  );
});

test.serial('any finding, by any id, equals the model’s', async (t) => {
  await fc.assert(
    fc.asyncProperty(tenant, tenant, anId, async (left, right, unknown) => {
      serveTenants(left, right);
      for (const id of [
        unknown,
        ...[...left.fixDrafts, ...right.fixDrafts].map((draft) => String(draft.id)),
      ]) {
        t.deepEqual(await ask(`/api/v1/findings/${encodeURIComponent(id)}`), model.finding(left, id));
      }
    }),
    runs(40),
  );
});
