import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/contract/codecs/problem.js';
import { type JournalFilter, type JournalNote, journal } from '../../src/simulation/journal.js';
import { knownNames, standsFor, tenantNamed } from '../../src/simulation/known-names.js';
import { note } from './_note.js';

const acme = { name: 'acme', id: 'usr_1', email: 'dana@acme.test' };
const other = { name: 'usr_2', id: 'usr_2', email: null };
const signedUp = { name: 'kim@new.test', id: 'usr_3', email: 'kim@new.test' };

/** The names of a server that has answered these requests. */
const namesAfter = (...notes: readonly Partial<JournalNote>[]) => {
  const kept = journal(10);
  for (const each of notes) kept.add(note(each));
  const names = knownNames(kept);
  names.serve({
    pages: ['GET /login', 'POST /login', 'GET /explore/findings/:id'],
    tenants: () => [acme, other, signedUp],
  });
  return names;
};

test('a tenant is named by its name, else its user id, else its e-mail address in any letter case', (t) => {
  const named = (text: string, ...tenants: (typeof acme | typeof other)[]) =>
    tenantNamed(text, tenants, (each) => each);
  for (const text of ['acme', 'usr_1', 'dana@acme.test', 'Dana@Acme.TEST'])
    t.is(named(text, other, acme), acme, text);
  t.is(named('usr_2', acme, other), other);
  for (const text of ['', 'Acme', 'USR_1', 'null']) t.is(named(text, acme, other), undefined, text);
  const [byId, byName] = [
    { ...acme, id: 'same' },
    { ...acme, name: 'same' },
  ];
  t.is(named('same', byId, byName), byName);
});

test('a page is named to the letter, or by the route that the journal shows', (t) => {
  t.true(standsFor('GET /login', 'GET /login'));
  t.false(standsFor('GET /login', 'GET /login/'));
  t.true(standsFor('GET /explore/findings/:id', 'GET /explore/findings/fix_1'));
  t.true(standsFor('GET /explore/findings/:id', 'GET /explore/findings/:id'));
  t.false(standsFor('GET /explore/findings/:id', 'GET /explore/findings'));
  t.false(standsFor('GET /explore/findings/fix_1', 'GET /explore/findings/:id'));
});

test('a filter of the journal gets the user id of its tenant, however it is named', (t) => {
  const names = namesAfter({ tenant: 'usr_gone' });
  const tenantIn = (tenant: string) => {
    const filter = names.filter({ tenant });
    return E.isRight(filter) ? filter.right.tenant : filter.left.map(formatProblem);
  };
  for (const text of ['acme', 'usr_1', 'DANA@acme.test']) t.is(tenantIn(text), 'usr_1');
  for (const text of ['usr_3', 'kim@new.test']) t.is(tenantIn(text), 'usr_3');
  t.is(tenantIn('usr_gone'), 'usr_gone');
  t.deepEqual(tenantIn('kim@new.tst'), [
    '/tenant: expected one of acme, usr_2, kim@new.test, usr_gone, got "kim@new.tst"; did you mean "kim@new.test"?',
  ]);
  t.deepEqual(tenantIn('usr_4'), [
    '/tenant: expected one of acme, usr_2, kim@new.test, usr_gone, got "usr_4"; did you mean "usr_2"?',
  ]);
});

test('a filter names operations and pages that there are, and what the journal has', (t) => {
  const names = namesAfter({ operation: 'GET /explore/findings/fix_1' });
  const filtered = (filter: Partial<JournalFilter>) => {
    const known = names.filter(filter);
    return E.isRight(known) ? known.right : known.left.map(formatProblem);
  };
  for (const operation of [
    'listFindings',
    'POST /login',
    'GET /explore/findings/:id',
    'GET /explore/findings/fix_1',
    'other',
  ])
    t.deepEqual(filtered({ operation }), { operation });
  const known =
    'listConnectedRepos, listFindings, getFinding, listPrs, GET /login, POST /login, GET /explore/findings/:id, other';
  t.deepEqual(filtered({ operation: 'nope', tenant: 'acmee' }), [
    `/operation: expected one of ${known}, got "nope"`,
    '/tenant: expected one of acme, usr_2, kim@new.test, got "acmee"; did you mean "acme"?',
  ]);
  t.deepEqual(filtered({ operation: 'listFinding' }), [
    `/operation: expected one of ${known}, got "listFinding"; did you mean "listFindings"?`,
  ]);
  t.deepEqual(filtered({ operation: 'GET /explore/findings/fix_2' }), [
    `/operation: expected one of ${known}, got "GET /explore/findings/fix_2"; did you mean "GET /explore/findings/fix_1"?`,
  ]);
});
