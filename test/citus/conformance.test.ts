import test from 'ava';
import { storageConformance } from '../../src/storage/conformance/index.js';
import { patient } from '../_storage.js';
import { connected, fill } from '../storage/postgres/_postgres.js';
import { type CitusStorage, clear, openCitus, withCitus } from './_citus.js';

const { url } = withCitus(test);
let opened: CitusStorage | undefined;
test.serial.before(() => {
  opened = openCitus(url());
});
test.after.always(async () => opened?.close());

const cases = storageConformance(async (datasets) => {
  if (opened === undefined) throw new Error('the database has not been opened');
  await clear(url());
  await connected(url(), (client) => fill(client, datasets));
  return { storage: opened.storage, close: async () => {} };
}, patient);

for (const { name, run } of cases) {
  test.serial(`Citus: ${name}`, async (t) => {
    await t.notThrowsAsync(run());
  });
}
