import test from 'ava';
import { sharedServer } from '../_server.js';
import { acme, nobody, other } from '../koa/_world.js';
import { browser, foreignScript, textOf } from './_explore.js';

const { ask } = sharedServer(test, [acme, other, nobody]);

const view = async (path: string, session = 'acme-cookie') => {
  const { status, text } = await ask(path, browser(session));
  return { status, markup: text, text: textOf(text).replaceAll(/\s+/g, ' ') };
};

/** Every scalar in a JSON value, as a page shows it. */
const scalars = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return value === '' ? [] : [String(value)];
  return Object.values(value).flatMap(scalars);
};

const timestamp = /^\d{4}-.*Z$/;

/** The content of a page without the panel that repeats the JSON. */
const content = (markup: string): string => markup.replace(/<aside class="request"[\s\S]*<\/aside>/, '');

for (const target of [
  '/repos',
  '/findings',
  '/findings?page=2&limit=2',
  '/findings/d1',
  '/prs',
  '/prs?status=closed',
]) {
  test(`${target} shows every value that the API answers`, async (t) => {
    const answered = await ask(`/api/v1${target}`, browser('acme-cookie'));
    const { status, markup } = await view(`/explore${target}`);
    t.is(status, 200);
    const { items = answered.body } = Object(answered.body);
    const [text, raw] = [textOf(content(markup)), content(markup)];
    t.true(scalars(items).length > 10);
    for (const each of scalars(items)) {
      t.true(timestamp.test(each) ? raw.includes(`datetime="${each}"`) : text.includes(each), each);
    }
    t.true(textOf(markup).includes(JSON.stringify(answered.body, null, 2)));
    t.true(textOf(markup).includes(`GET /api/v1${target}`));
  });
}

test('the overview counts what the API answers', async (t) => {
  const { text } = await view('/explore');
  t.regex(text, / 5 Repositories connected/);
  t.regex(text, / 4 Open findings of 5 findings/);
  t.regex(text, / 2 Open pull requests of 7 pull requests/);
  t.regex(text, / 1 Failed scans/);
  t.regex(text, /critical 1 0 0 0 1/);
  t.regex(text, /2026-11-16 2 1 3 0/);
});

for (const path of [
  '/findings?severity=worst',
  '/findings?severity=',
  '/findings?page=0&limit=x',
  '/findings?page=1&page=2',
  '/prs?status=%3Cscript%3E',
]) {
  test(`${path} shows the same 400 as the API`, async (t) => {
    const { body } = await ask(`/api/v1${path}`, browser('acme-cookie'));
    const { status, markup, text } = await view(`/explore${path}`);
    t.is(status, 400);
    t.true(text.includes(`400 ${Object(body).error}`));
    t.notRegex(markup, foreignScript);
    t.true(textOf(markup).includes(JSON.stringify(body, null, 2)));
  });
}

test('filters of findings narrow the page, and the page says that the totals ignore them', async (t) => {
  const { text } = await view('/explore/findings?severity=critical');
  t.regex(text, /1 item matches on this page/);
  t.regex(text, /totalItems \(5\) and totalPages \(1\) ignore them \(contract, section 4.2\)/);
  t.notRegex((await view('/explore/findings')).text, /section 4.2/);
});

test('a page on which nothing matches leads to the next one', async (t) => {
  const { markup, text } = await view('/explore/findings?severity=critical&limit=1');
  t.regex(text, /Nothing on this page matches/);
  t.regex(markup, /href="\/explore\/findings\?page=2&#38;limit=1&#38;severity=critical"/);
});

test('the filter of pull requests narrows the totals, and the page says so', async (t) => {
  const { text } = await view('/explore/prs?status=closed');
  t.regex(text, /3 closed pull requests/);
  t.regex(text, /prState null, “closed” or “cancelled”/);
});

test('an unknown repository and an empty one look the same, as in the API', async (t) => {
  for (const path of ['/explore/findings?repoId=nope', '/explore/prs?repoId=secret-repo']) {
    const { status, text } = await view(path);
    t.is(status, 200);
    t.regex(text, /somebody else/);
  }
});

test('a page beyond the last one has a state of its own', async (t) => {
  for (const list of ['findings', 'prs']) {
    const { status, markup, text } = await view(`/explore/${list}?page=9007199254740991`);
    t.is(status, 200);
    t.regex(text, /beyond the last one/);
    t.regex(markup, /class="button" href="[^"]*">Go to the last page/);
  }
});

test('an empty tenant has a state of its own in every view', async (t) => {
  for (const [path, words] of [
    ['', /There is nothing here yet/],
    ['/repos', /No repositories yet/],
    ['/findings', /No findings yet/],
    ['/prs', /No pull requests yet/],
  ] as const) {
    const { status, text } = await view(`/explore${path}`, 'nobody-cookie');
    t.is(status, 200);
    t.regex(text, words);
  }
});

test('an id with special characters has a page', async (t) => {
  const { markup } = await view('/explore/findings');
  t.true(markup.includes('href="/explore/findings/a%2Fb%20c%25d"'));
  const { status, text } = await view('/explore/findings/a%2Fb%20c%25d');
  t.is(status, 200);
  t.true(text.includes('GET /api/v1/findings/a%2Fb%20c%25d'));
});

test('an unknown finding has a page with the 404 of the API; a malformed id is one', async (t) => {
  for (const id of ['nope', '%', '%ff', "'%22%3E%3Cscript%3E"]) {
    const { status, markup, text } = await view(`/explore/findings/${id}`);
    t.is(status, 404);
    t.regex(text, /404 finding not found/);
    t.notRegex(markup, foreignScript);
  }
});

test('a finding links to its repository and shows its pull requests, and these link to it', async (t) => {
  const { markup, text } = await view('/explore/findings/d4');
  t.regex(markup, /href="\/explore\/findings\?repoId=api"/);
  t.regex(markup, /href="\/explore\/prs\?repoId=api"/);
  t.is(markup.match(/href="\/explore\/findings\/d4"/g)?.length, 6);
  t.regex(text, /cancelled/);
  t.regex((await view('/explore/prs')).markup, /href="\/explore\/findings\/d4"/);
});

test('parameters that the API ignores are named; the request is shown with them', async (t) => {
  const { status, text } = await view('/explore/prs?stauts=open&x=%3Cb%3E');
  t.is(status, 200);
  t.regex(text, /The API ignores unknown parameters: stauts , x/);
  t.true(text.includes('GET /api/v1/prs?stauts=open&x=%3Cb%3E'));
});

test('the part of the list of repositories is decoded like a page number', async (t) => {
  t.regex((await view('/explore/repos?part=0')).text, /400 part: expected a whole number from 1/);
  const beyond = await view('/explore/repos?part=2');
  t.is(beyond.status, 200);
  t.regex(beyond.text, /There are no more repositories/);
});
