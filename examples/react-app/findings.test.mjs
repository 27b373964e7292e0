import { startTriageApi } from 'triage-api';
import { finding, many, pullRequest, repo, tenant } from 'triage-api/fixtures';
import { afterEach, expect, test } from 'vitest';

let api;
afterEach(() => api?.stop());

const serve = async (fixtures) => {
  api = await startTriageApi({ fixtures });
  return async (path) => (await api.fetch(path)).json();
};

test('the second page of 30 findings has 5', async () => {
  const get = await serve(tenant({ findings: many(30, () => finding()) }));
  expect((await get('/api/v1/findings?page=2&limit=25')).items.length).toBe(5);
});

test('a repository counts its open pull requests', async () => {
  const open = () => finding({ pullRequest: pullRequest({ prState: 'open' }) });
  const get = await serve(tenant({ repos: [repo({ repo: 'acme/web', findings: many(2, open) })] }));
  const [web] = await get('/api/v1/repos');
  expect(web.openPrCount).toBe(2);
});
