import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { finding, TriageApiError, tenant, writeFixture } from '../../src/builders/index.js';
import * as noFiles from '../../src/builders/no-files.js';
import { startTriageApi } from '../../src/test-server/index.js';
import { directoryWith } from '../storage/fixtures/_directory.js';

test('where there are no files, the reason is said', async (t) => {
  t.deepEqual(await noFiles.writeText('mine.json', '{}'), ['this environment has no files; call it in Node']);
});

test('a tenant is written to a file that servers read, by its path or its URL', async (t) => {
  const directory = join(await directoryWith(t, {}), 'new', 'fixtures');
  const data = tenant({ name: 'shop', findings: [finding()] });
  await writeFixture(join(directory, 'shop.json'), tenant());
  await writeFixture(pathToFileURL(join(directory, 'shop.json')), data);
  t.deepEqual(JSON.parse(await readFile(join(directory, 'shop.json'), 'utf8')), data);
  const api = await startTriageApi({ fixtures: directory });
  t.teardown(api.stop);
  t.deepEqual(
    api.tenants.map(({ name, session }) => [name, session]),
    [['shop', 'shop-session']],
  );
});

test('a file that no server would read, and data that none would serve, are refused with every problem', async (t) => {
  const directory = await directoryWith(t, {});
  const refused = async (file: string | URL, data: unknown = tenant()): Promise<readonly string[]> => {
    const error = await t.throwsAsync(writeFixture(file, Object(data)), { instanceOf: TriageApiError });
    return error?.problems ?? [];
  };
  for (const name of ['.json', '.hidden.json', 'shop.txt', 'shop.json/'])
    t.regex(
      (await refused(join(directory, name)))[0] ?? '',
      /^writeFixture: file: expected .*NAME\.json/,
      name,
    );
  const [inFile, inData] = await refused(join(directory, 'shop'), { ...tenant(), user: { id: 1 } });
  t.regex(inFile ?? '', /NAME\.json/);
  t.is(inData, 'writeFixture: /user/id: expected identifier, got 1');
  await writeFixture(join(directory, 'shop.json'), tenant());
  t.regex(
    (await refused(join(directory, 'shop.json', 'a.json')))[0] ?? '',
    /^writeFixture: .*(ENOTDIR|EEXIST)/,
  );
  t.regex((await refused(new URL('https://team.test/a.json')))[0] ?? '', /^writeFixture: .*file/);
});
