import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/contract/codecs/problem.js';
import { type JournalFilter, journal } from '../../src/simulation/journal.js';
import { knownNames } from '../../src/simulation/known-names.js';
import { type JournalNote, note } from './_note.js';

const acme = { name: 'acme', id: 'usr_1', email: 'dana@acme.test' };
const other = { name: 'usr_2', id: 'usr_2', email: null };
const byId = { name: 'by-id', id: 'same', email: null };
const byName = { name: 'same', id: 'the-id', email: null };
const signedUp = { name: 'kim@new.test', id: 'usr_3', email: 'kim@new.test' };

/** The names of a server that has answered these requests. */
const namesAfter = (...notes: readonly Partial<JournalNote>[]) => {
  const kept = journal(10);
  for (const each of notes) kept.add(note(each));
  const names = knownNames(kept);
  names.serve({
    pages: ['GET /login', 'POST /login', 'GET /explore/findings/:id'],
    tenants: () => [acme, byId, byName, other, signedUp],
  });
  return names;
};

test('a filter of the journal gets the user id of its tenant: its name counts before an id, and an id before an address', (t) => {
  const names = namesAfter({ tenant: 'usr_gone' });
  const tenantIn = (tenant: string) => {
    const filter = names.filter({ tenant });
    return E.isRight(filter) ? filter.right.tenant : filter.left.map(formatProblem);
  };
  t.is(tenantIn('DANA@acme.test'), 'usr_1');
  for (const text of ['usr_3', 'kim@new.test']) t.is(tenantIn(text), 'usr_3');
  t.is(tenantIn('same'), 'the-id');
  t.is(tenantIn('usr_gone'), 'usr_gone');
  t.deepEqual(tenantIn('kim@new.tst'), [
    '/tenant: expected one of acme, by-id, same, usr_2, kim@new.test, usr_gone, got "kim@new.tst"; did you mean "kim@new.test"?',
  ]);
  t.deepEqual(tenantIn('usr_4'), [
    '/tenant: expected one of acme, by-id, same, usr_2, kim@new.test, usr_gone, got "usr_4"; did you mean "usr_2"?',
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
    '/tenant: expected one of acme, by-id, same, usr_2, kim@new.test, got "acmee"; did you mean "acme"?',
  ]);
  t.deepEqual(filtered({ operation: 'listFinding' }), [
    `/operation: expected one of ${known}, got "listFinding"; did you mean "listFindings"?`,
  ]);
  t.deepEqual(filtered({ operation: 'GET /explore/findings/fix_2' }), [
    `/operation: expected one of ${known}, got "GET /explore/findings/fix_2"; did you mean "GET /explore/findings/fix_1"?`,
  ]);
});
