import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import { Duration } from '../contract/codecs/timestamp.js';
import { DemoContent as ContentCodec, type DemoContent } from '../demo/kept-state.js';
import { personasNamed } from '../fixtures/demo-accounts.js';
import { readFixtures, shippedFixtures } from '../fixtures/read-fixtures.js';
import { readAsset } from '../pages/assets.js';
import { docsPaths, explorerPaths } from '../pages/paths.js';
import { scenarioProblems } from '../simulation/changed-fixtures.js';
import { readScenarioFile } from '../simulation/open-fixtures.js';
import { defineCommand } from './define-command.js';
import { displayPath, formatFixtureProblems } from './output/text.js';
import { type NewFile, writeFilesTogether } from './output/write-files.js';
import { serveOptions } from './serve/serve-options.js';
import { flag } from './settings/option.js';
import { exitCode, fail } from './terminal/terminal.js';

const { fixtures, scenario, now, signUpPersonas } = serveOptions;
const force = flag('--force', 'overwrite existing files', { notInFile: true });

/** `triage-api demo`: writes a folder for a static host, in which the service runs in the browser. */
export const demoCommand = defineCommand({
  name: 'demo',
  description: 'write a static folder in which everything runs in the browser',
  argument: ['<dir>', 'directory to write to; it is created if missing'],
  options: { fixtures, scenario, now, signUpPersonas, force },
  examples: {
    'write a demo of the shipped fixtures': 'triage-api demo public',
    'write one of fixtures of your own, again': 'triage-api demo public -f fixtures --force',
  },
  run: async ({ settings, terminal, words: [path = ''] }) => {
    const { fixtures: source = shippedFixtures, scenario: named, signUpPersonas: personas } = settings;
    const read = await readFixtures(displayPath(source));
    const played = named === undefined ? E.right([]) : await readScenarioFile(named);
    if (E.isLeft(read)) return fail(terminal, formatFixtureProblems(read.left));
    if (E.isLeft(played)) return fail(terminal, formatFixtureProblems(played.left));
    const { problems: ofPersonas } = personasNamed(personas, read.right, null);
    const problems = [...scenarioProblems(played.right, read.right), ...ofPersonas];
    if (problems.length > 0) return fail(terminal, formatFixtureProblems(problems));
    const datasets = read.right.map(({ name, dataset }) => ({ name, dataset }));
    const steps = played.right.map(({ index: _, at, ...step }) => ({ ...step, at: Duration.encode(at) }));
    const content = { fixtures: datasets, scenario: steps, now: settings.now ?? null, personas };
    const directory = displayPath(path);
    const files = (await demoFiles(content)).map(
      ([name, text]): NewFile => ({ file: join(directory, name), pieces: [text] }),
    );
    const result = await writeFilesTogether(files, { ...settings, pid: terminal.pid, isPublic: true });
    if (E.isLeft(result)) return fail(terminal, result.left);
    terminal.out(`wrote ${files.length} files to ${directory}: put it on any static host, below any path`);
    terminal.out('To look at it on this machine, serve it on localhost: browsers do not run it from file:');
    return exitCode.done;
  },
});

/** Pages whose addresses are known. A host answers all others with `404.html`. */
const pages = [
  ...['/', '/login', '/signup', '/settings/account', '/settings/api-tokens', docsPaths.page],
  ...[explorerPaths.overview, explorerPaths.repos, explorerPaths.findings, explorerPaths.prs],
  ...[explorerPaths.controls, explorerPaths.states],
];

/** The files of a demo, by their names below its folder. The same content gives the same bytes. */
const demoFiles = async (
  content: Omit<DemoContent, 'version'>,
): Promise<readonly (readonly [name: string, text: string])[]> => {
  const worker = await readFile(new URL('../../demo/worker.js', import.meta.url), 'utf8');
  const version = createHash('sha256').update(JSON.stringify(content)).update(worker).digest('base64url');
  const json = JSON.stringify(ContentCodec.encode({ version, ...content }));
  const shell = shellPage((await import('../../assets/boot.js.text.js')).default);
  const license = (name: string) => readFile(new URL(`../../assets/${name}`, import.meta.url), 'utf8');
  return [
    ['triage-api-worker.js', `self.demoContent=${JSON.stringify(json)};\n${worker}`],
    ...pages.map((path) => [join(path, 'index.html').slice(1), shell] as const),
    ['404.html', shell],
    [docsPaths.swaggerUiScript.slice(1), await readAsset('swagger-ui-bundle.js')],
    [docsPaths.swaggerUiStylesheet.slice(1), await readAsset('swagger-ui.css')],
    ['docs/LICENSE', await license('LICENSE')],
    ['docs/NOTICE', await license('NOTICE')],
    ['docs/swagger-ui-bundle.js.LICENSE.txt', await license('swagger-ui-bundle.js.LICENSE.txt')],
    ['README.md', readme],
  ];
};

const readme = `# A demo of triage-api

A static host serves this folder below any path, over HTTPS or on localhost; everything runs in a service worker of each visitor's browser.
The host has to answer addresses that it does not know with 404.html, as most do by themselves.
\`triage-api demo DIR --force\` writes the folder again; visitors are offered the new one on their next visit.
`;

const style =
  'body{font:1.1rem/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem}progress{width:100%}';

/** The page that starts the worker, at whatever address it is. */
const shellPage = (script: string): string => {
  const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none';script-src ${hashOf(script)};style-src ${hashOf(style)};img-src data:;worker-src 'self';base-uri 'none';form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>triage-api</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<main><p role="status">The demo is starting, in this browser alone.</p><progress max="3" value="0" aria-label="Start of the demo"></progress>
<noscript>It needs JavaScript. <code>npx triage-api serve</code> starts the same as a server, which does not.</noscript></main>
<script>${script}</script>
</html>
`;
};
