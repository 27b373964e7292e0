import { test as base } from '@playwright/test';
import { finding, many, repo, tenant } from 'triage-api/fixtures';
import { api } from '../playwright.config.ts';

const data = () => {
  const web = repo({ id: 'web', repo: 'acme/web' });
  return tenant({ findings: many(3, (i) => finding({ id: `fix_${i}`, repo: web, severity: 'high' })) });
};

/** Sends a request to the mock controls. */
const control = async (method: string, path: string, body?: object, type = 'application/json') => {
  const answer = await fetch(`${api}/__admin${path}`, {
    method,
    headers: { 'Content-Type': type },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
};

type Tenant = { id: string; session: string };

export const test = base.extend<{ patch: (change: object) => Promise<void> }, { tenant: Tenant }>({
  // A tenant lasts as long as its worker, and ends by itself if the worker crashes.
  tenant: [
    async ({}, use) => {
      const made: Tenant = await control('POST', '/tenants', { fixture: data(), ttl: '30m' });
      await use(made);
      await control('DELETE', `/tenants/${made.id}`);
    },
    { scope: 'worker' },
  ],
  /** Changes rows of the tenant, which are named by their ids. */
  patch: async ({ tenant }, use) => {
    await use((change) =>
      control('POST', `/tenants/${tenant.id}/patch`, change, 'application/merge-patch+json'),
    );
  },
  // Every page is signed in.
  context: async ({ context, tenant, baseURL }, use) => {
    await context.addCookies([{ name: 'session', value: tenant.session, url: baseURL }]);
    await use(context);
  },
});

export { expect } from '@playwright/test';
