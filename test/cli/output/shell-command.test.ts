import { join } from 'node:path';
import test from 'ava';
import { shellCommand } from '../../../src/cli/output/text.js';

const here = process.cwd();

for (const [where, program, start] of [
  ['a clone', join(here, 'bin/triage-api.js'), 'node bin/triage-api.js'],
  ['a project', join(here, 'node_modules/triage-api/bin/triage-api.js'), 'npx triage-api'],
  ['a directory above', join(here, '../node_modules/triage-api/bin/triage-api.js'), 'npx triage-api'],
  ['npx', '/home/kim/.npm/_npx/1/node_modules/triage-api/bin/triage-api.js', 'npx triage-api'],
  ['a global folder', '/opt/lib/node_modules/triage-api/bin/triage-api.js', 'triage-api'],
  ['a clone elsewhere', '/opt/clone/bin/triage-api.js', 'node /opt/clone/bin/triage-api.js'],
] as const) {
  test(`a program in ${where} is started by ${start}`, (t) => {
    t.is(shellCommand(['check', 'x'], program), `${start} check x`);
  });
}
