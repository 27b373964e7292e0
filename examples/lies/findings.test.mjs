import assert from 'node:assert/strict';
import test from 'node:test';
import { startTriageApi } from 'triage-api';
import { tenant } from 'triage-api/fixtures';
import { findingLines } from './findings.mjs';

const fixtures = tenant({
  findings: [
    { package: 'braces', severity: 'high', discoveredAt: '-1h', reconciledAt: null },
    { package: 'semver', severity: 'low', discoveredAt: '-2h', reconciledAt: '-1h' },
    { package: 'undici', severity: 'low', discoveredAt: '-3h', reconciledAt: '-1h' },
  ],
});

test('shows the findings page by page', async (t) => {
  const api = await startTriageApi({ fixtures });
  t.after(api.stop);
  const [first, second, more] = await findingLines(api);
  assert.match(first, /^braces high pending new$/);
  assert.match(second, /^semver low resolved /);
  assert.equal(more, 'More');
  const [third, ...others] = await findingLines(api, 2);
  assert.match(third, /^undici /);
  assert.deepEqual(others, []);
});

test('asks to log in', async (t) => {
  const api = await startTriageApi({ fixtures });
  t.after(api.stop);
  const lines = await findingLines({ url: api.url, session: 'ended' });
  assert.equal(lines.length, 1);
});
