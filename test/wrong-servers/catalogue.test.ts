import test from 'ava';
import { serve } from '../_server.js';
import { sendTo, world } from '../verify/_judge.js';
import { remembering } from '../verify/_mutation.js';
import { families, missedBy } from '../verify/checks/_families.js';

for (const [family, mutants] of Object.entries(families)) {
  test(`each wrong server of the family "${family}" fails the checks listed with it`, async (t) => {
    const { url } = await serve(t, world);
    t.deepEqual(await missedBy(remembering(sendTo(url)), mutants), []);
  });
}
