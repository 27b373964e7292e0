import test, { type ExecutionContext } from 'ava';
import { documentedOutcomes, outcomeThrough } from '../_cut-connections.js';
import { block, blocks, documentText } from '../_documented.js';
import { journey, ownPage, visit, worksThroughout } from '../_page-journey.js';
import { browse } from '../browser/_browser.js';
import { listen } from '../cli/_cli.js';
import { startFrontEnd } from './_front-ends.js';

const page = documentText('testing.md');

const frontEnd = async (
  t: ExecutionContext,
  name: 'vite' | 'webpack' | 'next',
  config: string,
  target: string,
): Promise<string> => {
  const files = {
    vite: { 'index.html': '<!doctype html><title>app</title>' },
    webpack: { 'src/index.js': '' },
    next: { 'pages/index.js': 'export default () => "app";' },
  }[name];
  const own = { [`${name}.config.mjs`]: config, [`public${ownPage.path}`]: ownPage.content };
  return (await startFrontEnd(t, name, { ...files, ...own }, { TRIAGE_API: target })).url;
};

const titles = { vite: 'Vite', webpack: 'webpack-dev-server', next: 'Next.js' };

for (const name of ['vite', 'webpack', 'next'] as const) {
  const config = block(page, `js ${name}.config.mjs`);

  test(`a page logs in through ${name} as its recipe says`, async (t) => {
    // Next.js replaces `Host`.
    const trust = name === 'next' ? ['--trust-proxy'] : [];
    const { url: target } = await listen(t, ['--allowed-host', 'app.localhost', ...trust]);
    const url = await frontEnd(t, name, config, target);
    t.deepEqual((await journey(url, url)).statuses, worksThroughout);
    t.deepEqual((await journey(url, url.replace('127.0.0.1', 'localhost'))).statuses, worksThroughout);
    t.deepEqual((await journey(url, url.replace('127.0.0.1', 'app.localhost'))).statuses, worksThroughout);
  });

  test(`a dropped connection is answered through ${name} as the table says`, async (t) => {
    const { url: target } = await listen(t, []);
    const url = await frontEnd(t, name, config, target);
    const [cut, drop] = documentedOutcomes(titles[name]);
    t.is(await outcomeThrough(url, 'drop'), drop ?? '');
    if (name === 'next') t.is(await outcomeThrough(url, 'cut'), cut ?? '');
  });

  test(`visitors log in and sign up on the pages of the server, through ${name}`, async (t) => {
    const { url: target } = await listen(t, []);
    await visit(t, await frontEnd(t, name, config, target));
  });
}

test('a page learns through the proxy of vite that a connection was cut, if it is configured as shown', async (t) => {
  const { url: target } = await listen(t, []);
  const usual = block(page, 'js vite.config.mjs');
  const [shown] = blocks(documentText('simulate.md'), 'js cut');
  const config = `${shown}${usual.replace('{ target }', '{ target, configure }')}`;
  const url = await frontEnd(t, 'vite', config, target);
  t.is(await outcomeThrough(url, 'cut'), '200, then the connection ends');
});

test('a front end with a page for the login of its own uses a prefix', async (t) => {
  const { url: target } = await listen(t, []);
  const usual = block(page, 'js vite.config.mjs');
  const config = usual.replace(
    /'\^.*: \{ target \}/,
    "'^/triage/': { target, rewrite: (path) => path.replace('/triage', '') }",
  );
  t.not(config, usual);
  const url = await frontEnd(t, 'vite', config, target);
  const { statuses, cookie } = await journey(`${url}/triage`, url);
  t.deepEqual(statuses, worksThroughout);
  t.regex(cookie, /; path=\/;/);
  t.regex(await (await fetch(`${url}/login`, { headers: { Accept: 'text/html' } })).text(), /<title>app/);
});

test('the page of the tutorial sends visitors to the login, and lists findings afterwards', async (t) => {
  const { url: target } = await listen(t, []);
  const script = `${block(documentText('tutorial.md'), 'js page.mjs')}
document.title = items.length + ' findings';`;
  const files = {
    'vite.config.mjs': block(page, 'js vite.config.mjs'),
    'index.html': '<!doctype html><script type="module" src="/page.mjs"></script>',
    'page.mjs': script,
  };
  const { url } = await startFrontEnd(t, 'vite', files, { TRIAGE_API: target });
  const tab = await (await browse(t)).newPage();
  await tab.goto(`${url}/`);
  await tab.getByRole('button', { name: 'Log in as Dana' }).click();
  await tab.waitForURL(`${url}/`);
  while ((await tab.title()) !== '25 findings') await tab.waitForTimeout(50);
  t.pass();
});

test('with changeOrigin, a page elsewhere is refused, and what the message names helps', async (t) => {
  const changing = block(page, 'js vite.config.mjs').replace(
    '{ target }',
    '{ target, changeOrigin: true, xfwd: true }',
  );
  const config = changing.replace('server: {', "server: { allowedHosts: ['app.test'],");
  t.not(config, changing);
  const origin = (url: string): string => url.replace('127.0.0.1', 'app.test');
  const refusing = await listen(t, []);
  const refused = await frontEnd(t, 'vite', config, refusing.url);
  t.deepEqual((await journey(refused, origin(refused))).statuses, [403]);
  const trusting = await listen(t, ['--trust-proxy', '--allowed-host', 'app.test']);
  const accepted = await frontEnd(t, 'vite', config, trusting.url);
  t.deepEqual((await journey(accepted, origin(accepted))).statuses, worksThroughout);
});
