import test from 'ava';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import { fill } from './_fill.js';
import { answersWhateverThePlan } from './_planner.js';
import { connected, withPostgres } from './_postgres.js';
import { roleOfTheDocuments } from './_role.js';

const { database } = withPostgres(test);

test('each read has the right answer whatever the planner does, for a serving role', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme, other]));
  await answersWhateverThePlan(t, url, await roleOfTheDocuments(t, url));
});
