import type { Page } from 'playwright-core';

/** A page in one of its states. */
export type PageState = Readonly<{
  /**
   * The server: with the shipped fixtures, with a tenant of 10,000 findings, or with a storage that cannot be
   * read.
   */
  site: 'shipped' | 'large' | 'failed';
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

const operation = (page: Page): Promise<void> => page.locator('.opblock').first().waitFor();

const explorerViews = ['/repos', '/findings?limit=10', '/findings/d1', '/prs?limit=10'].map(
  (view) => `/explore${view}`,
);

/** Every page of the site in every state that looks different. A new page is one more line. */
export const everyPage: readonly PageState[] = [
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
      await submit(page, 'Sign up');
    },
  ]),
  shipped('new', '/settings/api-tokens'),
  shipped('new', '/settings/api-tokens', [
    'minted',
    async (page) => {
      for (const name of ['first', 'x'.repeat(100)]) {
        await page.getByLabel('Name').fill(name);
        await submit(page, 'Mint token');
      }
    },
  ]),
  shipped('new', '/settings/api-tokens', [
    'to confirm',
    async (page) => {
      await page.getByLabel('Name').fill('second');
      await submit(page, 'Mint token');
      await page.getByRole('link', { name: 'Revoke second' }).click();
    },
  ]),
  shipped('new', '/settings/api-tokens'),
  shipped('acme', '/settings/api-tokens'),
  shipped('new', '/settings/account'),
  shipped('acme', '/settings/account'),
  shipped('acme', '/no-such-page'),
  shipped(null, `/${'a-long-path/'.repeat(30)}`),
  shipped(null, '/logout'),
  shipped(null, '/docs', ['closed', operation], true),
  shipped('acme', '/docs#getFinding', ['an operation open', operation], true),
  shipped(
    'acme',
    '/docs#listPrs',
    [
      'executed',
      async (page) => {
        await page.locator('.opblock.is-open').getByLabel('limit').fill('2');
        await submit(page, 'Execute');
        await page.locator('.live-responses-table .response').waitFor();
        await submit(page, 'Schemas');
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
  { site: 'failed', visitor: 'large', path: '/explore' },
  ...explorerViews.map((path): PageState => ({ site: 'failed', visitor: 'large', path })),
];

/** A page state as the title of a test. */
export const titleOf = ({ site, visitor, path, state }: PageState): string =>
  [`${path}${state === undefined ? '' : `, ${state[0]}`}`, `for ${visitor ?? 'nobody'}`, `(${site})`].join(
    ' ',
  );
