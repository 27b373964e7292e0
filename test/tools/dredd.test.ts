import test from 'ava';
import { operations } from '../../src/contract/operations.js';
import { exampleTenant } from '../../src/openapi/operation-object.js';
import { type JudgedServer, promiseMore, startJudgedServer } from './_judged-server.js';
import { type Finished, runTool, toolFile } from './_tools.js';

const dredd = ({ url, directory }: JudgedServer, document: string): Promise<Finished> =>
  runTool('dredd', [document, url, '--hookfiles', toolFile('dredd-hooks.cjs')], directory, {
    SESSION: exampleTenant.session,
  });

/** What a client can provoke: all documented statuses but those of faults. */
const provoked = Object.values(operations).flatMap(({ id, responses }) =>
  [...Object.keys(responses), '304'].filter((status) => status < '500').map((status) => `${id} ${status}`),
);

test('Dredd finds each response of each operation to be as the document says', async (t) => {
  const server = await startJudgedServer(t);
  const { code, out, err } = await dredd(server, server.documentUrl);
  t.is(code, 0, `${out}${err}`);
  t.regex(`${out}${err}`, /17 passing, 0 failing, 0 errors, 8 skipped/);
  t.deepEqual([...(await server.answered())].sort(), provoked.sort());
});

test('Dredd fails for each operation whose response lacks what the document promises', async (t) => {
  const server = await startJudgedServer(t);
  const { code, out, err } = await dredd(server, await server.changedDocument(promiseMore));
  t.is(code, 1);
  t.regex(`${out}${err}`, /13 passing, 4 failing, 0 errors, 8 skipped/);
});

test('Dredd refuses a document whose parameter has no example', async (t) => {
  const server = await startJudgedServer(t);
  const document = await server.changedDocument(({ paths }) => {
    const [parameter] = Object.values(Object(paths['/api/v1/findings/{id}']?.get.parameters));
    delete Object(parameter).example;
  });
  const { code, out, err } = await dredd(server, document);
  t.is(code, 1);
  t.regex(`${out}${err}`, /Required URI parameter 'id' has no example/);
});
