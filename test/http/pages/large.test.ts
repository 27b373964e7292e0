import test from 'ava';
import { aDraft, aPullRequest, aRepo, aSession, aUser, dataset } from '../../_data.js';
import { serve } from '../../_server.js';
import { aStorage } from '../../_storage.js';
import { browser, textOf } from './_explore.js';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const tenant = (repos: number, findings: number) =>
  dataset({
    user: aUser('big'),
    sessions: [aSession('big-cookie')],
    repos: numbers(repos).map((n) => aRepo(`r${n}`)),
    fixDrafts: numbers(findings).map((n) => aDraft(`d${n}`, 'r0', { advisoryId: `GHSA-${n}` })),
    pullRequests: numbers(findings).map((n) => aPullRequest(`p${n}`, 'd7')),
  });

test('the overview counts the first 10,000 rows of a list and says so', async (t) => {
  const storage = aStorage([tenant(1, 10_050)]);
  const offsets: number[] = [];
  const { ask } = await serve(t, [], {
    storage: {
      ...storage,
      findings: (credentials, range) => {
        offsets.push(range.offset);
        return storage.findings(credentials, range);
      },
    },
  });
  const text = textOf((await ask('/explore', browser('big-cookie'))).text).replaceAll(/\s+/g, ' ');
  t.regex(text, /10,000 Open findings of 10,050 findings: .* Only the first 10,000 of 10,050 were counted/);
  t.regex(text, /10,050 Open pull requests/);
  t.deepEqual(
    offsets,
    numbers(100).map((page) => page * 100),
  );
});

test('10,000 findings are counted completely', async (t) => {
  const { ask } = await serve(t, [tenant(1, 10_000)]);
  const text = textOf((await ask('/explore', browser('big-cookie'))).text);
  t.regex(text, /10,000\s+Open findings/);
  t.notRegex(text, /Only the first/);
});

test('pull requests of a finding are looked for among a bounded number', async (t) => {
  const { ask } = await serve(t, [tenant(1, 2500)]);
  const text = textOf((await ask('/explore/findings/d7', browser('big-cookie'))).text);
  t.regex(text, /Of 2,500 pull requests of the repository, only the newest 2,000 were looked\s+through/);
});

test('a long list of repositories is shown in parts', async (t) => {
  const { ask } = await serve(t, [tenant(250, 1)]);
  const ids = async (query: string): Promise<readonly string[]> => {
    const { text } = await ask(`/explore/repos${query}`, browser('big-cookie'));
    return Array.from(
      text.matchAll(/datum first"><span class="key">repo<\/span>[\s\S]*?<bdi>(r\d+)</g),
      ([, id = '']) => id,
    );
  };
  const [first, second, third] = [await ids(''), await ids('?part=2'), await ids('?part=3')];
  t.deepEqual([first.length, second.length, third.length], [100, 100, 50]);
  t.is(new Set([...first, ...second, ...third]).size, 250);
  const { text } = await ask('/explore/repos?part=3', browser('big-cookie'));
  t.regex(textOf(text), /This page shows 201 to 250/);
  t.regex(textOf(text), /50 of 250 items/);
});

test('a repository is chosen from a list if there are few, and entered by id if there are many', async (t) => {
  const few = await serve(t, [tenant(200, 1)]);
  const many = await serve(t, [tenant(201, 1)]);
  const chosen = (await few.ask('/explore/findings', browser('big-cookie'))).text;
  t.regex(chosen, /<select id="repoId" name="repoId" required><option value="" selected>/);
  t.regex((await many.ask('/explore/findings', browser('big-cookie'))).text, /<input id="repoId"/);
});
