import test from 'ava';
import { serve } from '../_server.js';
import { sendTo, world } from '../contract-tools/verify/_judge.js';
import { remembering } from '../contract-tools/verify/_mutation.js';
import { families, missedBy } from '../contract-tools/verify/checks/_families.js';

for (const [family, mutants] of Object.entries(families)) {
  test(`each wrong server of the family "${family}" fails the checks listed with it`, async (t) => {
    const { url } = await serve(t, world);
    t.deepEqual(await missedBy(remembering(sendTo(url)), mutants), []);
  });
}
