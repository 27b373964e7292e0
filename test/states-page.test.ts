import test from 'ava';
import { enter, fixtureOf, seenIn, statesOf } from '../src/simulation/states/index.js';
import { startTriageApi } from '../src/testing/server.js';
import { block, documentText } from './_documented.js';
import { usualOfTenants } from './simulation/_shipped-states.js';

/** What docs/states.md shows, executed. */
const page = documentText('states.md');

test('the page counts the states, and those that at least two shipped tenants show', async (t) => {
  const [, all, usual] = /: (\d+) states,[\s\S]*?shipped tenants show (\d+) of them/.exec(page) ?? [];
  t.deepEqual([Number(all), Number(usual)], [statesOf().length, (await usualOfTenants()).states.length]);
});

test('the request that the page shows is answered as it says', async (t) => {
  await using api = await startTriageApi();
  const [, prefer = '', path = '', expected = ''] =
    /'Prefer: (.*?)' .*'http:\/\/127\.0\.0\.1:4000(.*)'\n(.*)\n$/.exec(block(page, 'console state')) ?? [];
  t.is(await (await api.fetch(path, { headers: { Prefer: prefer } })).text(), expected);
});

test('the program that the page shows runs', async (t) => {
  await using api = await startTriageApi();
  const [, ...lines] = block(page, 'js states').trim().split('\n');
  const program = `return (async () => { ${lines.join('\n')}\n return { states, unseen }; })()`;
  const run = new Function('api', 'enter', 'fixtureOf', 'seenIn', 'statesOf', program);
  const { states, unseen } = await run(api, enter, fixtureOf, seenIn, statesOf);
  t.deepEqual(unseen(), states);
  t.is(Object(await (await api.fetch('/api/v1/findings')).json()).totalItems, 0);
});
