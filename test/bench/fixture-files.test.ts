import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { bytesOfRow, writeFixtureFile, writeFixtureFiles } from '../../bench/fixture-files.js';
import { withTemporaryDirectory } from '../../bench/temporary-directory.js';
import { readFixtures } from '../../src/storage/fixtures/read-fixtures.js';

test('generated fixture files are valid, and have as many rows together as asked for', async (t) => {
  await withTemporaryDirectory(async (directory) => {
    await writeFixtureFiles(directory, { rows: 1001, files: 3 });
    const fixtures = await readFixtures(directory)();
    if (E.isLeft(fixtures)) return t.fail(fixtures.left.join('\n'));
    const datasets = fixtures.right.map(({ dataset }) => dataset);
    t.deepEqual(
      datasets.map(({ fixDrafts }) => fixDrafts.length),
      [333, 334, 334],
    );
    t.deepEqual(
      datasets.map(({ pullRequests }) => pullRequests.length),
      [333, 334, 334],
    );
  });
});

test('a file is about as large as its number of rows says, and its repositories belong to the owner', async (t) => {
  await withTemporaryDirectory(async (directory) => {
    const file = join(directory, 'one.json');
    await writeFixtureFile(file, { tenant: 0, rows: 5000, owner: 'somebody' });
    const { size } = await stat(file);
    t.true(Math.abs(size / (5000 * bytesOfRow) - 1) < 0.1, `${size} bytes`);
    const fixtures = await readFixtures(directory)();
    t.true(
      E.isRight(fixtures) && fixtures.right[0]?.dataset.repos.every(({ owner }) => owner === 'somebody'),
    );
  });
});

test('a temporary directory is gone afterwards, also after a failure', async (t) => {
  let directory = '';
  const failing = withTemporaryDirectory(async (given) => {
    directory = given;
    throw new Error('failed');
  });
  await t.throwsAsync(failing, { message: 'failed' });
  await t.throwsAsync(readdir(directory), { code: 'ENOENT' });
});
