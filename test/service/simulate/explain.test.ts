import test from 'ava';
import { createSimulation } from '../../../src/simulation/simulation.js';
import { serve } from '../../_server.js';
import { acme } from '../../http/_world.js';

const explained = { headers: { Cookie: 'session=acme-cookie', 'X-Triage-Explain': '1' } };

test('an explanation names the tenant and the clock, and counts the rows after each filter', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const explain = async (path: string, init: RequestInit = explained) =>
    JSON.parse((await ask(path, init)).headers.get('x-triage-explanation') ?? 'null');
  const all = Object((await ask('/api/v1/findings', explained)).body);
  const low = Object((await ask('/api/v1/findings?severity=low', explained)).body);
  const explanation = await explain('/api/v1/findings?repoId=n%C3%B6pe&severity=low');
  t.like(explanation, { tenant: acme.user.id, clock: '2026-11-20T12:00:00.000Z' });
  t.deepEqual(explanation.rows, [
    { filter: null, total: all.totalItems, onPage: all.items.length },
    { filter: 'repoId=nöpe', total: 0, onPage: 0 },
    { filter: 'severity=low', total: 0, onPage: 0 },
  ]);
  t.deepEqual((await explain('/api/v1/findings?severity=low')).rows, [
    { filter: null, total: all.totalItems, onPage: all.items.length },
    { filter: 'severity=low', total: all.totalItems, onPage: low.items.length },
  ]);
  const emptied = { headers: { ...explained.headers, Prefer: 'empty' } };
  t.deepEqual((await explain('/api/v1/findings', emptied)).rows, [
    { filter: null, total: all.totalItems, onPage: all.items.length },
    { filter: 'empty (simulated)', total: 0, onPage: 0 },
  ]);
  t.deepEqual((await explain('/api/v1/findings?page=0', emptied)).rows, []);
  t.is((await explain('/api/v1/repos')).rows.length, 1);
  t.deepEqual((await explain('/api/v1/findings?page=0')).rows, []);
  t.like(await explain('/api/v1/prs', { headers: { 'X-Triage-Explain': '1' } }), { tenant: null, rows: [] });
});

test('nothing is explained that nobody asked for, nor without controls', async (t) => {
  const usual = await serve(t, [acme], { simulation: createSimulation() });
  const { headers } = await usual.ask('/api/v1/repos', { headers: { Cookie: 'session=acme-cookie' } });
  t.false(headers.has('x-triage-explanation'));
  const without = await serve(t, [acme]);
  t.false((await without.ask('/api/v1/repos', explained)).headers.has('x-triage-explanation'));
});
