/** What `triage-api/playwright` exports: a test of Playwright with a tenant of its own (docs/testing.md). */
import * as playwright from '@playwright/test';
import type { State } from '../simulation/states/index.js';
import {
  type ControlsOptions,
  connectControls,
  type RemoteControls,
  type RemoteTenant,
  type TenantOptions,
} from './connect-controls.js';

export type { RemoteControls, RemoteTenant, TenantOptions };

export const { expect } = playwright;
if (expect === undefined) throw new Error('triage-api/playwright needs @playwright/test 1.40 or later');

/** Which server the tests use, and what the tenant of a worker is. */
export type TriageApiOfTests = Pick<ControlsOptions, 'token'> &
  Readonly<{
    /** The base URL of the server. */
    url: string;
    /** What the tenant is made of. If its worker crashes, it ends after `ttl`, or else an hour. */
    tenant?: TenantOptions;
    /** The moment at which its clock stands at the beginning of each test. Default: that of the server. */
    now?: string;
  }>;

/** What a worker has. */
export type TriageWorker = Readonly<{
  /** An option, for `use`. */
  triageApi: TriageApiOfTests;
  /** The tenant of the worker, with its credentials. */
  tenant: RemoteTenant;
}>;

/** What a test has. */
export type TriageTest = Readonly<{
  /** An option, for `use`: the state, or its name, that the tenant of the test is in (docs/states.md). */
  state: string | Pick<State, 'make'> | undefined;
  /** The tenant of the test: that of its worker, or the one in the state. */
  ownTenant: RemoteTenant;
  /** The controls of the tenant: rules, changes, the clock and the journal are about it alone. */
  controls: RemoteControls;
}>;

/**
 * The test of Playwright, whose pages are signed in as a tenant that each worker has for itself. Its data,
 * rules and clock begin anew with each test.
 */
export const test = playwright.test.extend<TriageTest, TriageWorker>({
  triageApi: [{ url: 'http://127.0.0.1:4000' }, { option: true, scope: 'worker' }],
  tenant: [
    async ({ triageApi: { url, token, tenant } }, use) => {
      const { createTenant, removeTenant } = connectControls({ url, token });
      const made = await createTenant({ ttl: '1h', ...tenant });
      await use(made);
      await removeTenant(made.name);
    },
    { scope: 'worker' },
  ],
  state: [undefined, { option: true }],
  ownTenant: async ({ triageApi: { url, token, now }, tenant, state }, use) => {
    if (state === undefined) return use(tenant);
    const { createTenant, removeTenant } = connectControls({ url, token });
    const recipe = typeof state === 'string' ? { state } : state.make;
    const clock = now === undefined ? {} : { clock: { now } };
    const made = await createTenant({ ttl: '1h', ...recipe, ...clock });
    await use(made);
    await removeTenant(made.name);
  },
  controls: [
    async ({ triageApi: { url, token, now }, ownTenant, state }, use) => {
      const controls = connectControls({ url, token, tenant: ownTenant.name });
      if (now !== undefined && state === undefined) await controls.clock.set(now);
      // The journal of a test begins with it.
      const [{ number = 0 } = {}] = (await controls.requests()).slice(-1);
      const requests: RemoteControls['requests'] = (filter = {}) =>
        controls.requests({ since: String(number), ...filter });
      await use({ ...controls, requests });
      await controls.reset();
    },
    { auto: true },
  ],
  context: async ({ context, baseURL, triageApi, ownTenant, state }, use) => {
    const isSignedIn = typeof state === 'object' ? !state.make.client?.signIn : state !== 'credentials.none';
    const pages = isSignedIn ? [triageApi.url, baseURL ?? triageApi.url] : [];
    await context.addCookies(pages.map((url) => ({ name: 'session', value: ownTenant.session, url })));
    await use(context);
  },
});
