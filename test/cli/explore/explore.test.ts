import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen, run } from '../_cli.js';

/** A program that writes what it is called with, and what it knows of the settings, to a file. */
const fakeBrowser = async (t: ExecutionContext) => {
  const directory = await directoryWith(t, {
    browser:
      '#!/bin/sh\necho "$#|$1|$TRIAGE_ADMIN_TOKEN|$DATABASE_URL" > "$0.new"\nmv "$0.new" "$0.called"\n',
  });
  const program = join(directory, 'browser');
  await chmod(program, 0o700);
  /** Resolves once the program has been called. */
  const called = async (): Promise<string> => {
    for (;;) {
      try {
        return (await readFile(`${program}.called`, 'utf8')).trim();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  return { program, called };
};

test('explore serves fixtures and opens the explorer, without the secrets of the server', async (t) => {
  const { program, called } = await fakeBrowser(t);
  const { url, err } = await listen(
    t,
    [],
    { BROWSER: program, TRIAGE_ADMIN_TOKEN: 'a-secret-of-the-server' },
    'listening on ',
    'explore',
  );
  t.is(await called(), `1|${url}/explore||`);
  t.true(err().includes(`look at the data: ${url}/explore\n`));
  const response = await fetch(`${url}/explore`, { redirect: 'manual' });
  t.is(response.headers.get('location'), '/login?next=%2Fexplore');
});

test('serve opens a browser with --open only, at the start page where there is no explorer', async (t) => {
  const { program, called } = await fakeBrowser(t);
  const { url, err } = await listen(t, ['--open', '--no-explorer'], { BROWSER: program });
  t.is(await called(), `1|${url}/||`);
  t.notRegex(err(), /look at the data/);
  t.is((await fetch(`${url}/explore`)).status, 404);
  t.notRegex(await (await fetch(url)).text(), /\/explore/);
});

test('a browser that cannot be opened is a warning, and the server goes on', async (t) => {
  const refusals: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{}, 'there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set'],
    [{ BROWSER: '/no/such/program:/nor/this' }, '/no/such/program and /nor/this cannot be found'],
    [{ BROWSER: '/bin/false' }, '/bin/false ended with code 1'],
    [{ BROWSER: '/dev/null' }, '/dev/null cannot be started'],
  ];
  for (const [environment, reason] of refusals) {
    const { url, shows } = await listen(t, ['--open'], environment);
    await shows(`no browser was opened: open ${url}/explore yourself`);
    await shows(reason);
    t.is((await fetch(`${url}/healthz`)).status, 200);
  }
});

test('with BROWSER=none or --no-open, explore opens nothing and says nothing', async (t) => {
  const { program } = await fakeBrowser(t);
  for (const [words, environment] of [
    [[], { BROWSER: 'none' }],
    [['--no-open'], { BROWSER: program }],
    [[], { BROWSER: program, TRIAGE_OPEN: 'false' }],
  ] as const) {
    const { diagnostics, url, end } = await listen(t, words, environment, 'listening on ', 'explore');
    t.is((await fetch(`${url}/healthz`)).status, 200);
    await end('SIGTERM');
    t.notRegex(diagnostics(), /browser/);
  }
  await t.throwsAsync(readFile(`${program}.called`));
});

test('explore without the explorer is refused, and what turns it off is named', async (t) => {
  const file = join(await directoryWith(t, { 'config.json': '{ "explorer": false }' }), 'config.json');
  for (const [words, environment, off] of [
    [['--no-explorer'], {}, '--no-explorer'],
    [[], { TRIAGE_EXPLORER: 'off' }, 'TRIAGE_EXPLORER'],
    [['--config', file], {}, `${file}:1`],
  ] as const) {
    const { code, err } = await run(['explore', ...words], environment);
    t.is(code, 2);
    t.is(err, `explore opens the explorer, which ${off} turns off; to serve without it, use serve\n`);
  }
});
