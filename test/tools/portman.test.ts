import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { operations } from '../../src/contract/operations.js';
import { exampleTenant } from '../../src/openapi/operation-object.js';
import { type JudgedServer, promiseMore, startJudgedServer } from './_judged-server.js';
import { runTool, toolFile } from './_tools.js';

type Stats = Readonly<Record<'requests' | 'assertions', Readonly<{ total: number; failed: number }>>>;

/** Portman makes a collection of a document, and newman runs it: its exit code, and its numbers. */
const run = async (
  t: ExecutionContext,
  { url, directory }: JudgedServer,
  document: readonly string[],
): Promise<Readonly<{ code: number; stats: Stats }>> => {
  const settings = ['-c', toolFile('portman.json'), '-s', toolFile('postman.json')];
  const portman = await runTool(
    'portman',
    [...document, '-b', url, ...settings, '-o', 'collection.json'],
    directory,
  );
  t.is(portman.code, 0, `${portman.out}${portman.err}`);
  const session = ['--env-var', `session=${exampleTenant.session}`];
  const report = ['--reporters', 'json', '--reporter-json-export', 'report.json'];
  const { code } = await runTool('newman', ['run', 'collection.json', ...session, ...report], directory);
  const { run: result } = JSON.parse(await readFile(join(directory, 'report.json'), 'utf8'));
  return { code, stats: result.stats };
};

test('the collection that Portman makes of the document passes in newman', async (t) => {
  const server = await startJudgedServer(t);
  const { code, stats } = await run(t, server, ['--url', server.documentUrl]);
  t.is(code, 0);
  t.like(stats, { requests: { total: 4, failed: 0 }, assertions: { total: 16, failed: 0 } });
  t.deepEqual(
    [...(await server.answered())].sort(),
    Object.keys(operations)
      .map((id) => `${id} 200`)
      .sort(),
  );
});

test('the collection of Portman fails in newman for each operation whose response lacks a promised field', async (t) => {
  const server = await startJudgedServer(t);
  const { code, stats } = await run(t, server, ['--local', await server.changedDocument(promiseMore)]);
  t.is(code, 1);
  t.like(stats, { requests: { total: 4, failed: 0 }, assertions: { total: 16, failed: 4 } });
});
