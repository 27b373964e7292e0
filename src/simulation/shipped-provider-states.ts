import type { ProviderState, ProviderStates } from './provider-state.js';

const states: Readonly<Record<string, ProviderState>> = {
  'a tenant with findings': {
    description: 'A new tenant, with the data of the demo tenant.',
    tenant: {},
  },
  'a finding exists': {
    description: 'A new tenant with one repository and one finding, whose id is a parameter.',
    params: { id: 'fix_0001' },
    tenant: { fixture: { fixDrafts: [{ id: '{{id}}' }] } },
    values: { findingId: '{{id}}' },
  },
  'a tenant with no findings': {
    description: 'A new tenant that has repositories, and neither findings nor pull requests.',
    tenant: {},
    patch: { pullRequests: [], fixDrafts: [] },
  },
  'a tenant with no pull requests': {
    description: 'A new tenant that has repositories and findings.',
    tenant: {},
    patch: { pullRequests: [] },
  },
  'a tenant with no repositories': {
    description: 'A new tenant without any data.',
    tenant: {},
    patch: { pullRequests: [], fixDrafts: [], scans: [], repos: [] },
  },
  'the session has expired': {
    description: 'Every request to the API is answered with 401.',
    faults: [{ code: 401 }],
  },
  'the rate limit is exceeded': {
    description: 'Every request to the API is answered with 429.',
    faults: [{ code: 429 }],
  },
  'the service is failing': {
    description: 'Every request to the API is answered with 500.',
    faults: [{ code: 500 }],
  },
  'the service is unavailable': {
    description: 'Every request to the API is answered with 503.',
    faults: [{ code: 503 }],
  },
};

/** The provider states that every server knows. */
export const shippedProviderStates: ProviderStates = new Map(Object.entries(states));
