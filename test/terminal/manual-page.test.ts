import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { root } from '../inventory/_shipped-packages.js';
import { programs } from './_programs.js';

const file = join(root, 'man/triage-api.1');

test('mandoc finds nothing wrong with the manual page', async (t) => {
  const { stdout } = await promisify(execFile)(programs.mandoc, ['-Tlint', '-Wwarning', file]).catch(
    (failed: unknown) => Object(failed),
  );
  t.deepEqual(
    String(stdout)
      .split('\n')
      // Pages without a date are the same for every build.
      .filter((line) => line !== '' && !line.includes('missing date')),
    [],
  );
});

test('groff finds nothing wrong with the manual page', async (t) => {
  const { stderr } = await promisify(execFile)(programs.groff, ['-man', '-ww', '-Tutf8', '-z', file]);
  t.is(stderr, '');
});
