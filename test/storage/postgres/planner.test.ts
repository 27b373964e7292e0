import test from 'ava';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import { withPostgres } from './_postgres.js';
import { answersWhateverThePlan } from './_reads.js';
import { roleOfTheDocuments } from './_role.js';

const { filled } = withPostgres(test);

test('each read has the right answer whatever the planner does, for a serving role', async (t) => {
  const url = await filled(t, acme, other);
  await answersWhateverThePlan(t, url, await roleOfTheDocuments(t, url));
});
