import { writeFile } from 'node:fs/promises';
import { serve } from '../../_server.js';
import { sendTo, world } from '../_judge.js';
import { remembering } from '../_mutation.js';
import { families } from './_families.js';
import { type Observed, observe, signaturesFile } from './_signatures.js';

/** Writes `signatures.ts` anew, from a run over every wrong server. This takes minutes. */
const stops: (() => unknown)[] = [];
const { url } = await serve({ teardown: (stop) => stops.push(stop) }, world);
const real = remembering(sendTo(url));
const observed: Observed[] = [];
for (const mutant of Object.values(families).flat()) observed.push(await observe(real, mutant));
const file = new URL('../../../../src/verify/signatures.ts', import.meta.url);
await writeFile(file, signaturesFile(observed));
for (const stop of stops) await stop();
