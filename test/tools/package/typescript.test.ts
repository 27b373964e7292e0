import { fileURLToPath } from 'node:url';
import test from 'ava';
import { projectWith, typeProblems } from '../../_package.js';
import { toolFile } from '../_tools.js';

const compilers = {
  '5.4': toolFile('node_modules/typescript-5.4/bin/tsc'),
  '5.9': toolFile('node_modules/typescript-5.9/bin/tsc'),
  '6': toolFile('node_modules/typescript-6/bin/tsc'),
  '7': fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url)),
};

const everywhere = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: [],
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
};
const settings = [
  { ...everywhere, module: 'node16' },
  { ...everywhere, module: 'nodenext' },
  { ...everywhere, module: 'esnext', moduleResolution: 'bundler' },
];

/** Every entry that needs no other package. */
const entries = `
import { startTriageApi } from 'triage-api';
import { createClient } from 'triage-api/client';
import { decode, RepoList } from 'triage-api/contract';
import { fetchHandler } from 'triage-api/fetch-handler';
import { finding, tenant } from 'triage-api/fixtures';
import type { Storage } from 'triage-api/storage';
import { storageConformance } from 'triage-api/storage/conformance';
import { contractTests } from 'triage-api/verify';

export const names = contractTests(() => ({ url: '/', session: 'a', token: 'b' })).map(({ name }) => name);
export const started = startTriageApi({ fixtures: tenant({ findings: [finding({ severity: 'low' })] }) });
export const client = createClient({ baseUrl: '/' });
export const decoded = decode(RepoList, []);
export const handler = fetchHandler(tenant());
export const cases = (storage: Storage) => storageConformance(async () => ({ storage, close: async () => {} }));
`;

const wrong = `
import { finding } from 'triage-api/fixtures';

export const moderate = finding({ severity: 'moderate' });
`;

/** Fixtures are imported with an attribute, which \`node16\` does not know. */
const fixtures = `
import { startTriageApi } from 'triage-api';
import acme from 'triage-api/fixtures/acme.json' with { type: 'json' };
import scenario from 'triage-api/fixtures/scenarios/acme.json' with { type: 'json' };

export const started = [startTriageApi({ fixtures: acme }), startTriageApi({ scenario })];
`;

const msw = `
import * as handlers from 'triage-api/msw';

export const all = handlers;
`;

for (const [version, compiler] of Object.entries(compilers)) {
  test(`every entry has types for TypeScript ${version}, with and without the optional packages`, async (t) => {
    const files = { 'entries.ts': entries, 'fixtures.ts': fixtures, 'msw.ts': msw, 'wrong.ts': wrong };
    const plain = await projectWith(t, files);
    const whole = await projectWith(t, files, ['fast-check', 'msw']);
    for (const options of settings) {
      const isTyped = options.module !== 'node16' && version !== '5.4';
      const names = isTyped ? ['entries.ts', 'fixtures.ts'] : ['entries.ts'];
      t.is(await typeProblems(whole, options, [...names, 'msw.ts'], compiler), '', options.module);
    }
    // TypeScript 7 has no such resolution, and 6 refuses it.
    const commonjs = { ...everywhere, module: 'commonjs', moduleResolution: 'node10', skipLibCheck: true };
    if (version.startsWith('5'))
      t.is(await typeProblems(whole, commonjs, ['entries.ts', 'msw.ts'], compiler), '');
    const nodenext = { ...everywhere, module: 'nodenext' };
    const problems = await typeProblems(plain, nodenext, ['entries.ts', 'wrong.ts'], compiler);
    t.regex(problems, /^wrong\.ts\b.*"moderate"/);
    t.is(problems.match(/error TS/g)?.length, 1, problems);
  });
}
