import test from 'ava';
import { lies } from '../../src/simulation/lies/index.js';
import { documentText } from '../_documented.js';
import { reasons, rulesOn, withRules } from './_rules-page.js';

const page = documentText('api.md');

test('the page has the rules as they are derived', async (t) => {
  t.is(await withRules(page), page, 'run `npm run derive`');
});

test('no rule of sections 1 to 9 is without code, a check and a lie, but those that the page gives a reason for', async (t) => {
  const rules = await rulesOn(page);
  t.true(rules.length > 30, String(rules.length));
  t.deepEqual(new Set(rules.map(({ name }) => name[0])), new Set('123456789'));
  for (const { name, code, checks, lies: some } of rules) {
    t.is(some.length === 0, name in reasons, name);
    if (name in reasons) continue;
    t.true(code.length > 0 && checks.length > 0, name);
  }
  const names = rules.map(({ name }) => name);
  for (const name of Object.keys(reasons)) t.true(names.includes(name), `${name} is no rule`);
  for (const { id, section } of lies) t.true(names.includes(section), `${id}: ${section}`);
});
