import type { VerifyReport } from '../../src/verify/report.js';
import { serve, type TestLife } from '../_server.js';
import { judge, sendTo, world } from './_judge.js';
import { mutated, remembering, rows } from './_mutation.js';

/** Text with all that XML escapes or cannot hold, and a secret at the point where reports truncate values. */
const nasty = `]]> & <b a="1">'\u0000\u0008\ud800\uffff\n\t😀 ${'x'.repeat(170)}boundary-token`;

/**
 * A report of a server whose severities are `nasty`, with failures and with checks that were not exercised.
 */
export const nastyReport = async (t: TestLife): Promise<VerifyReport> => {
  const { url } = await serve(t, world);
  const wrong = rows('findings', (row) => ({ ...row, severity: nasty }));
  return judge(mutated(remembering(sendTo(url)), wrong), { expiredSession: undefined });
};
