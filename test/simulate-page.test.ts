import test from 'ava';
import { startTriageApi } from '../src/testing/server.js';
import { blocks, documentText } from './_documented.js';

/** What docs/simulate.md shows of controls, rules and scenarios, executed. */
const page = documentText('simulate.md');

test('the controls answer as the page shows', async (t) => {
  const { url, stop, ...api } = await startTriageApi();
  t.teardown(stop);
  const shown = blocks(page, 'console control');
  t.is(shown.length, 5);
  for (const block of shown) {
    const [command = '', output = ''] = block.split('\n');
    const [, method = '', type = '', body = '', path = ''] =
      /^\$ curl -X (\w+) -H 'Content-Type: (.*?)' -d '(.*)' 'http:\/\/127\.0\.0\.1:4000(.*)'$/.exec(
        command,
      ) ?? [];
    const answer = await fetch(`${url}${path}`, { method, headers: { 'Content-Type': type }, body });
    t.is(await answer.text(), output, command);
  }
  const finding = await fetch(`${url}/api/v1/findings/fix_0001`, {
    headers: { Cookie: `session=${api.session}` },
  });
  t.is(Object(await finding.json()).status, 'resolved');
  const repos = await fetch(`${url}/api/v1/repos`, { headers: { Cookie: `session=${api.session}` } });
  t.true((await repos.text()).includes('"acme","repo":"new"'));
});

test('the rule and the warning that the page shows are those of the server', async (t) => {
  const { url, stop, faults, ...api } = await startTriageApi();
  t.teardown(stop);
  const [warning = ''] = blocks(page, 'console warning');
  const [, prefer = '', path = '', expected = ''] =
    /^\$ curl -i -H 'Prefer: (.*?)' 'http:\/\/127\.0\.0\.1:4000(.*)'\nX-Triage-Warning: (.*)\n$/.exec(
      warning,
    ) ?? [];
  const headers = { Cookie: `session=${api.session}` };
  const warned = await fetch(`${url}${path}`, { headers: { ...headers, Prefer: prefer } });
  t.deepEqual([warned.status, warned.headers.get('x-triage-warning')], [200, expected]);

  const [rule = '', altering = ''] = blocks(page, 'json rule');
  faults.add(JSON.parse(rule));
  const attempt = (count: number) =>
    fetch(`${url}/api/v1/findings/fix_0001`, { headers: { ...headers, 'X-Attempt': String(count) } });
  const [first, second] = [await attempt(1), await attempt(2)];
  t.deepEqual(
    [first.status, first.headers.get('content-type'), first.headers.get('retry-after'), await first.text()],
    [502, 'text/html', '5', '<h1>No healthy upstream</h1>'],
  );
  t.is(second.status, 200);

  faults.add(JSON.parse(altering));
  const list200 = await fetch(`${url}/api/v1/findings`, { headers });
  t.is(list200.headers.get('x-triage-simulated'), 'altered, headers (fault-2)');
  const { items, totalItems, ...others } = Object(await list200.json());
  t.deepEqual([totalItems, items.length, 'page' in others], ['many', 25, false]);
});

test('the scenario that the page shows plays', async (t) => {
  const [scenario = ''] = blocks(page, 'json scenario');
  const api = await startTriageApi({ scenario: JSON.parse(scenario), now: '2026-11-20T12:00:00Z' });
  t.teardown(api.stop);
  const ciStatus = async () => {
    const answer = await fetch(`${api.url}/api/v1/findings/fix_0001`, {
      headers: { Cookie: `session=${api.session}` },
    });
    return Object(await answer.json()).ciStatus;
  };
  await api.clock.advance('30s');
  t.is(await ciStatus(), 'failing');
  await api.clock.advance('30s');
  t.is(await ciStatus(), 'passing');
});
