// Verifies a pact against a server whose data the states make: node verify.mjs [pact.json]
import { Verifier } from '@pact-foundation/pact';
import { startTriageApi } from 'triage-api';

const api = await startTriageApi();

/** The tenant of the current interaction: the state makes it, and the credentials of the request are its own. */
let tenant;

const tenantWith = async (options) => {
  tenant = await api.createTenant(options);
};

await new Verifier({
  provider: 'triage-api',
  providerBaseUrl: api.url,
  pactUrls: [process.argv[2] ?? 'pact.json'],
  logLevel: 'error',
  stateHandlers: {
    'a tenant with findings': () => tenantWith({ from: 'demo' }),
    'a tenant with no findings': () => tenantWith({ fixture: { repos: [{ owner: 'acme', repo: 'web' }] } }),
    'a finding exists': ({ id }) => tenantWith({ fixture: { findings: [{ id }] } }),
    'the service is unavailable': async () => void api.faults.add({ code: 503 }),
  },
  // Pact ignores states that have no handler: without a tenant, their requests are answered with 401.
  beforeEach: async () => {
    tenant = undefined;
    api.faults.clear();
  },
  requestFilter: ({ headers }, _response, next) => {
    if (headers.cookie) headers.cookie = `session=${tenant?.session}`;
    if (headers.authorization) headers.authorization = `Bearer ${tenant?.token}`;
    next();
  },
})
  .verifyProvider()
  .finally(api.stop);
