import { startTriageApi } from 'triage-api';
import { finding, many, pullRequest, repo, tenant } from 'triage-api/fixtures';
import { expect, test } from 'vitest';

test('the second page of 30 findings has 5', async () => {
  const findings = many(30, () => finding());
  await using api = await startTriageApi({ fixtures: tenant({ findings }) });
  const { items } = await (await api.fetch('/api/v1/findings?page=2&limit=25')).json();
  expect(items.length).toBe(5);
});

test('a repository counts its open pull requests', async () => {
  const open = () => finding({ pullRequest: pullRequest({ prState: 'open' }) });
  const repos = [repo({ repo: 'acme/web', findings: many(2, open) })];
  await using api = await startTriageApi({ fixtures: tenant({ repos }) });
  const [web] = await (await api.fetch('/api/v1/repos')).json();
  expect(web.openPrCount).toBe(2);
});
