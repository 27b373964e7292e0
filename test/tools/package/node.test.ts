import { existsSync } from 'node:fs';
import test from 'ava';
import { nodeOf, projectWith } from '../../_package.js';
import { toolFile } from '../_tools.js';

/**
 * The oldest version that package.json accepts, and the newest of each later line. Each is a package for
 * Linux on x64, which npm leaves out elsewhere.
 */
const others = ['20', '22', '24', '26'].map((version) => toolFile(`node_modules/node-${version}/bin/node`));

const programs = [process.execPath, ...others.filter((program) => existsSync(program))];

const script = `
import manifest from 'triage-api/package.json' with { type: 'json' };
const names = Object.keys(manifest.exports).filter((name) => !name.includes('*') && !name.endsWith('.json'));
for (const name of names) await import(name.replace('.', 'triage-api'));
const { startTriageApi } = await import('triage-api');
const { default: acme } = await import('triage-api/fixtures/acme.json', { with: { type: 'json' } });
const { url, session, stop } = await startTriageApi({ fixtures: acme });
const { status } = await fetch(url + '/api/v1/repos', { headers: { Cookie: 'session=' + session } });
await stop();
console.log(names.length, status);
`;

test('npm has installed every version of Node that is supported', (t) => {
  t.is(programs.length, process.platform === 'linux' && process.arch === 'x64' ? 5 : 1);
});

for (const program of programs) {
  test(`every entry can be imported, and the command line starts: ${program}`, async (t) => {
    const project = await projectWith(t, { 'script.js': script }, ['@playwright/test', 'fast-check', 'msw']);
    t.regex(await nodeOf(program, project, ['--no-warnings', 'script.js']), /^14 200\n$/);
    const bin = 'node_modules/triage-api/bin/triage-api.js';
    t.regex(await nodeOf(program, project, [bin, '--version']), /^\d+\.\d+\.\d+/);
    t.regex(await nodeOf(program, project, [bin, 'check']), /5 tenants, no problems/);
  });
}
