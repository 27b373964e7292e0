import { namedBodies } from '../../simulation/effect.js';
import type { NewFaultRule } from '../../simulation/fault-rules.js';

/** What one click simulates: the control that it uses, and what that is sent. */
type Preset = Readonly<{
  name: string;
  text: string;
  control: 'addFault' | 'setCredentials' | 'changeClock';
  body: object;
}>;

const rule = (name: string, text: string, body: Partial<NewFaultRule>): Preset => ({
  name,
  text,
  control: 'addFault',
  body,
});

/** A row that a list gets in front of all others, so that what was on page 1 comes again on page 2. */
const newFinding = {
  findings: {
    '': { repo: 'acme/new', package: 'added-meanwhile', severity: 'critical', discoveredAt: '+0s' },
  },
};

/** What people want most, for the next requests. */
export const presets: readonly Preset[] = [
  rule('unavailable', 'The next 3 requests fail with 503', { code: 503, times: 3 }),
  rule('slow', 'The next 10 answers take 2 seconds', { delay: 2000, times: 10 }),
  rule('hold', 'The next answer is held', { kind: 'hold', times: 1 }),
  {
    name: 'signed-out',
    text: 'The session has ended',
    control: 'setCredentials',
    body: { session: 'expired' },
  },
  rule('empty', 'The next 3 lists are empty', { kind: 'empty', times: 3 }),
  rule('html', 'The next 3 answers are 200 with HTML', { code: 200, ...namedBodies.get('html'), times: 3 }),
  rule('limited', 'The next 3 requests are too many (429)', { code: 429, retryAfter: 30, times: 3 }),
  rule('cut', 'The next 3 answers are cut', { kind: 'cut', times: 3 }),
  rule('changed', 'A finding is added after the next page of findings', {
    operation: 'listFindings',
    times: 1,
    then: { patch: newFinding },
  }),
  { name: 'later', text: 'Eight days pass', control: 'changeClock', body: { advance: '8d' } },
];
