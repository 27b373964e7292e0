import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { aDraft, aPullRequest, aRepo, aSession, aUser, dataset } from '../_data.js';
import { serve, type TestLife } from '../_server.js';
import { aStorage } from '../_storage.js';
import { listen } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { violations } from './_axe.js';
import { type Fonts, fontSets, launch, nameOf } from './_browser.js';
import { keyboardFaults, layoutFaults } from './_faults.js';

const long = 'a'.repeat(200);
const rightToLeft = 'حزمة برمجية '.repeat(16);

/** A tenant with 10,000 findings, whose texts are as long as they can be, or run from right to left. */
const largeTenant = dataset({
  user: { ...aUser('large'), name: long.slice(0, 100) },
  sessions: [aSession('large-session')],
  repos: [aRepo('r0', { owner: long, repo: rightToLeft }), aRepo(long)],
  fixDrafts: Array.from({ length: 10_000 }, (_, index) =>
    aDraft(`d${index}`, index % 2 === 0 ? 'r0' : long, {
      package: index % 2 === 0 ? long : rightToLeft,
      ecosystem: rightToLeft,
      vulnerableRange: long,
      advisoryId: `GHSA-${index}`,
      ciStatus: long,
    }),
  ),
  pullRequests: Array.from({ length: 200 }, (_, index) =>
    aPullRequest(`p${index}`, `d${index % 40}`, {
      branch: long,
      prState: index % 2 === 0 ? long : rightToLeft,
      codemodSummary: `- ${long}\n+ ${rightToLeft}\n`.repeat(index % 9),
    }),
  ),
});

/** Fixtures whose users have names as long as they can be, and more of them than a page shows. */
const crowd = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [
    `t${String(i).padStart(2, '0')}.json`,
    {
      user: {
        id: `u${i}`,
        email: `${'long-local-part.'.repeat(3)}${i}@${'subdomain.'.repeat(6)}example.test`,
        name: i % 2 === 0 ? 'שרה כהן '.repeat(25) : 'W'.repeat(200),
      },
      findings: [{ repo: `acme/r${i}`, package: 'lodash' }],
    },
  ]),
);

/** A page in one of its states. */
type PageState = Readonly<{
  /**
   * The server: with the shipped fixtures, with a tenant of 10,000 findings, with many tenants, or with a
   * storage that cannot be read.
   */
  site: 'shipped' | 'large' | 'crowd' | 'failed';
  /** Who is signed in: a tenant, somebody who has just signed up, or nobody. */
  visitor: string | 'new' | null;
  path: string;
  /** Leads from the page at `path` to the state, whose name it has. */
  state?: readonly [name: string, reach: (page: Page) => Promise<void>];
  /** Whether the page needs its script. */
  needsScript?: boolean;
}>;

const shipped = (
  visitor: string | null,
  path: string,
  state?: PageState['state'],
  needsScript = false,
): PageState => ({ site: 'shipped', visitor, path, needsScript, ...(state === undefined ? {} : { state }) });

const submit = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

const mint = async (page: Page, ...names: readonly string[]): Promise<void> => {
  for (const name of names) {
    await page.getByLabel('Name').fill(name);
    await submit(page, 'Mint token');
  }
};

const operation = (page: Page): Promise<void> => page.locator('.opblock').first().waitFor();

const openOperation = (page: Page): Promise<void> =>
  page.locator('.opblock.is-open .examples-select-element').last().waitFor({ state: 'attached' });

const explorerViews = ['/repos', '/findings?limit=10', '/findings/d1', '/prs?limit=10'].map(
  (view) => `/explore${view}`,
);

/** Every page of the site in every state that looks different. A new page is one more line. */
const everyPage: readonly PageState[] = [
  shipped('acme', '/explore/controls', [
    'in use',
    async (page) => {
      const rule = page.getByRole('region', { name: 'Rules' });
      await rule.getByText('More: a rule of your own').click();
      await rule.getByLabel('Status').fill('502');
      await rule.getByLabel('Delay').fill('1');
      // No other page has to meet the rule.
      await rule.getByLabel('Operation').selectOption('getFinding');
      await submit(page, 'Add the rule');
      await submit(page, 'Make the tenant');
    },
  ]),
  shipped('acme', '/explore/controls?status=x', [
    'refused',
    async (page) => {
      const rule = page.getByRole('region', { name: 'Rules' });
      await rule.getByText('More: a rule of your own').click();
      await rule.getByLabel('Status').fill('200');
      await rule.getByLabel('Parameters').fill('limit=1&pag=2');
      await rule.getByLabel('Changes of the body').fill(`{"set": ["${'x'.repeat(300)}"]}`);
      await submit(page, 'Add the rule');
    },
  ]),
  shipped('acme', '/explore/states'),
  shipped(null, '/explore/states?state=repos.texts.long&next=%2Fexplore'),
  shipped(null, '/'),
  shipped('acme', '/'),
  shipped('new', '/'),
  shipped(null, '/login'),
  shipped(null, '/login', [
    'refused',
    async (page) => {
      await page.getByLabel('E-mail').fill('x@y.test');
      await page.getByLabel('Password').fill('wrong');
      await submit(page, 'Log in');
    },
  ]),
  shipped(null, '/signup'),
  shipped(null, '/signup', [
    'refused',
    async (page) => {
      await page.getByLabel('Name').fill('A name as long as names can be, '.repeat(3));
      await page.getByLabel('E-mail').fill(`${'x'.repeat(120)}@y`);
      await page.getByLabel('Password').fill('1');
      const choice = page.getByRole('combobox', { name: 'Starting data' });
      await choice.evaluate((select) => select.lastElementChild?.setAttribute('value', 'gone'));
      await choice.selectOption('gone');
      await submit(page, 'Sign up');
    },
  ]),
  shipped('new', '/settings/api-tokens'),
  shipped('new', '/settings/api-tokens', [
    'minted',
    (page) => mint(page, 'first', 'שלום עולם', 'Words that fill a line. '.repeat(4), 'x'.repeat(100)),
  ]),
  shipped('new', '/settings/api-tokens', [
    'to confirm',
    async (page) => {
      await mint(page, 'second');
      await page.getByRole('link', { name: 'Revoke second' }).click();
    },
  ]),
  shipped('new', '/settings/api-tokens', [
    'revoked',
    async (page) => {
      await page.getByRole('link', { name: 'Revoke second' }).click();
      await submit(page, 'Revoke token');
    },
  ]),
  shipped('acme', '/settings/api-tokens'),
  shipped('new', '/settings/account'),
  shipped('new', '/settings/account', [
    'refused',
    async (page) => {
      await page.getByLabel('Current password').fill('correct horse');
      await page.getByLabel('New password').fill('short');
      await submit(page, 'Change password');
    },
  ]),
  shipped('new', '/settings/account?password=changed'),
  shipped(null, '/login?account=deleted'),
  shipped('acme', '/settings/account'),
  shipped('acme', '/no-such-page'),
  shipped(null, `/${'a-long-path/'.repeat(30)}`),
  shipped(null, '/logout'),
  shipped(null, '/docs', ['closed', operation], true),
  shipped('acme', '/docs#getFinding', ['an operation open', openOperation], true),
  shipped(
    'acme',
    '/docs#listPrs',
    [
      'executed',
      async (page) => {
        await page.locator('.opblock.is-open').getByLabel('limit').fill('2');
        await submit(page, 'Execute listPrs');
        await page.locator('.live-responses-table .response').waitFor();
        await submit(page, 'Schemas');
        await page.locator('.models .json-schema-2020-12-accordion').first().click();
      },
    ],
    true,
  ),
  shipped('acme', '/docs?controls', ['of the mock controls', operation], true),
  shipped('acme', '/explore'),
  shipped('acme', '/explore/repos'),
  shipped('acme', '/explore/findings?limit=10'),
  shipped('acme', '/explore/findings?severity=critical&status=resolved&limit=10'),
  shipped('acme', '/explore/findings?limit=0&severity=x'),
  shipped('acme', '/explore/findings/fix_0001'),
  shipped('acme', '/explore/findings/unknown'),
  shipped('acme', '/explore/prs?status=closed&repoId=repo_storefront'),
  shipped('acme', '/explore/prs?page=99'),
  shipped('acme', '/explore/prs?unknown=1&limit=5'),
  shipped('boundary', '/explore'),
  shipped('boundary', '/explore/repos'),
  shipped('boundary', '/explore/findings?repoId=repo_unicode'),
  shipped('boundary', '/explore/prs?limit=10'),
  shipped('empty', '/explore'),
  shipped('empty', '/explore/repos'),
  shipped('empty', '/explore/findings'),
  shipped('empty', '/explore/prs'),
  ...explorerViews.map((path): PageState => ({ site: 'large', visitor: 'large', path })),
  { site: 'large', visitor: 'large', path: '/explore/findings?page=1000&limit=10' },
  { site: 'large', visitor: 'large', path: '/explore/prs?page=20&limit=10' },
  { site: 'large', visitor: 'large', path: '/' },
  {
    site: 'large',
    visitor: 'large',
    path: '/explore',
    state: ['with 10,000 findings', (page) => page.getByText('of 10,000 findings').waitFor()],
  },
  { site: 'crowd', visitor: null, path: '/' },
  { site: 'crowd', visitor: null, path: '/login' },
  { site: 'failed', visitor: 'large', path: '/explore' },
  ...explorerViews.map((path): PageState => ({ site: 'failed', visitor: 'large', path })),
];

/** From a monitor to the narrowest phone; where more would tell little, the first and the last alone. */
const widths = [1280, 768, 390, 320] as const;
const outermost = [1280, 320] as const;

/** Axe takes longest, so it sees each colour scheme once, and each layout: with columns and without. */
const looks = [
  ['light', 1280],
  ['dark', 320],
] as const;

/** What readers may set, and at which widths: the spacing of texts, as WCAG 1.4.12 has it, and their size. */
const settings = [
  [
    'the spacing of texts',
    `* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important } p { margin-bottom: 2em !important }`,
    ...outermost,
  ],
  ['text of twice the size', 'html { font-size: 200% !important }', 1280],
] as const;

/** A page state as the title of a test. */
const titleOf = ({ site, visitor, path, state }: PageState): string =>
  [`${path}${state === undefined ? '' : `, ${state[0]}`}`, `for ${visitor ?? 'nobody'}`, `(${site})`].join(
    ' ',
  );

/** The addresses of the servers that have the pages. */
type Sites = Readonly<Record<PageState['site'], string>>;

const unavailable = async () =>
  E.left({ _tag: 'StorageUnavailable' as const, cause: new Error('unreachable') });

const startSites = async (life: TestLife): Promise<Sites> => {
  const storage = aStorage([largeTenant]);
  const down = { repos: unavailable, findings: unavailable, finding: unavailable, prs: unavailable };
  const own = { teardown: (stop: () => unknown) => life.teardown(stop) };
  const [shipped, crowded, large, failed] = await Promise.all([
    listen(own, ['--now', '2026-11-20T12:00:00Z', '--signup-persona', 'acme,boundary']),
    listen(own, ['--fixtures', await directoryWith(life, crowd)]),
    serve(life, [], { storage }),
    serve(life, [], { storage: { ...storage, ...down } }),
  ]);
  return { shipped: shipped.url, crowd: crowded.url, large: large.url, failed: failed.url };
};

/** A tab that shows one page state after another. `noted`: what it complains of, and loads from elsewhere. */
type Tab = Readonly<{
  page: Page;
  fontName: string;
  noted: string[];
  show: (state: PageState) => Promise<void>;
}>;

/** What a browser says of every page with a failure, and of a form for a password without an address. */
const expectedNotes = /status of (?:400|401|404|405|503)|should have \(optionally hidden\) username/;

const openTab = async (
  browser: Browser,
  fonts: Fonts | undefined,
  sites: Sites,
  options: BrowserContextOptions,
): Promise<Tab> => {
  const context = await browser.newContext(options);
  // The test runner ends a test that hangs; a busy machine may need longer than the usual 30 seconds.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const newcomer = await signUp(context, sites.shipped);
  const noted: string[] = [];
  const note = (text: string, isExpected: boolean): void => {
    if (!isExpected) noted.push(text);
  };
  const own = [...Object.values(sites), 'data:', 'about:'];
  page.on('console', (message) => note(message.text(), expectedNotes.test(message.text())));
  page.on('pageerror', (error) => note(error.message, false));
  page.on('request', (request) =>
    note(
      request.url(),
      own.some((start) => request.url().startsWith(start)),
    ),
  );
  return {
    page,
    fontName: nameOf(fonts),
    noted,
    show: async ({ site, visitor, path, state }) => {
      const url = sites[site];
      await context.clearCookies();
      if (visitor !== null) {
        const value = visitor === 'new' ? newcomer : `${visitor}-session`;
        await context.addCookies([{ name: 'session', value, url, httpOnly: true }]);
      }
      // An address that differs in its hash only would not load the page again.
      await page.goto('about:blank');
      await page.goto(`${url}${path}`);
      await state?.[1](page);
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
    },
  };
};

/** Signs somebody up, with an address that no other tab has. Returns the value of the session cookie. */
const signUp = async (context: BrowserContext, url: string): Promise<string> => {
  const email = `${'x'.repeat(50)}${crypto.randomUUID()}@example.test`;
  const data = {
    name: 'A name as long as names can be, '.repeat(3).trim(),
    email,
    password: 'correct horse',
  };
  await context.request.post(`${url}/signup`, { data });
  return (await context.cookies(url)).find(({ name }) => name === 'session')?.value ?? '';
};

/**
 * The tabs are shared by all tests, because a browser takes longer to start than a test. The pages allow no
 * script of others: in `tab`, the one that looks at them is let through, and `usual` is like that of a user.
 */
type Shared = Readonly<Record<'tab' | 'usual' | 'withoutScript', Tab>>;

const stops: (() => unknown)[] = [];
let shared: Shared | undefined;
const all = (): Shared => {
  if (shared === undefined) throw new Error('the browser has not been started yet');
  return shared;
};

test.before(async () => {
  const life = { teardown: (stop: () => unknown) => void stops.unshift(stop) };
  const sites = await startSites(life);
  const [fonts, others] = [fontSets[0], fontSets.at(-1)];
  const browser = await launch(life, fonts);
  const narrow = { viewport: { width: 390, height: 800 } };
  shared = {
    tab: await openTab(browser, fonts, sites, { bypassCSP: true }),
    usual: await openTab(await launch(life, others), others, sites, {}),
    withoutScript: await openTab(browser, fonts, sites, { javaScriptEnabled: false, ...narrow }),
  };
});

test.after.always(async () => {
  for (const stop of stops) await stop();
});

/** What a page has kept in the browser, but for its session. */
const kept = `indexedDB.databases().then(({ length }) =>
  [localStorage.length, sessionStorage.length, length, document.cookie])`;

for (const [index, state] of everyPage.entries()) {
  test(`${index + 1}. ${titleOf(state)}`, async (t) => {
    const { tab, usual, withoutScript } = all();
    const { page } = tab;
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    for (const [each, wide] of [
      [tab, widths],
      [usual, outermost],
    ] as const) {
      await each.page.setViewportSize({ width: 1280, height: 800 });
      await each.show(state);
      for (const width of wide) {
        await each.page.setViewportSize({ width, height: 800 });
        t.deepEqual(await layoutFaults(each.page), [], `layout at ${width} pixels in ${each.fontName}`);
      }
    }
    t.deepEqual(usual.noted.splice(0), [], 'complaints, and what was loaded from elsewhere');
    t.deepEqual(await usual.page.evaluate(kept), [0, 0, 0, ''], 'what is kept in the browser');
    for (const [name, css, ...wide] of settings) {
      const style = await page.addStyleTag({ content: css });
      for (const width of wide) {
        await page.setViewportSize({ width, height: 800 });
        t.deepEqual(await layoutFaults(page), [], `${name} at ${width} pixels`);
      }
      await style.evaluate((element) => element.parentNode?.removeChild(element));
    }
    for (const [colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme, forcedColors: 'none' });
      await page.setViewportSize({ width, height: 800 });
      t.deepEqual(await violations(page), [], `axe, ${colorScheme}, at ${width} pixels`);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    t.deepEqual(await layoutFaults(page), [], 'layout in forced colors');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
    t.deepEqual(await keyboardFaults(page), [], 'keyboard');

    if (state.needsScript === true) return;
    await withoutScript.show(state);
    t.deepEqual(await layoutFaults(withoutScript.page), [], 'layout without a script at 390 pixels');
  });
}
