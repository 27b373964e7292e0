import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { nullable } from '../codecs/nullable.js';
import { FiniteNumber, Integer } from '../codecs/numbers.js';
import { Timestamp } from '../codecs/timestamp.js';
import { FindingStatus, Severity } from './enums.js';
import { freeForm } from './free-form.js';
import { pageOf } from './page.js';

const anyNumber = 'Any finite number; the shipped data stays within 0 and 1.';

const fields = {
  id: described(t.string, 'Id of the fix draft behind the finding. It is what the path of getFinding takes.'),
  repoId: described(t.string, 'Id of the connected repository that the finding was made in.'),
  advisoryId: described(t.string, 'Identifier of the security advisory.'),
  package: described(t.string, 'Name of the dependent package.'),
  ecosystem: described(t.string, 'Ecosystem that the package belongs to, such as npm.'),
  vulnerableRange: described(t.string, 'Versions that are vulnerable, as a range expression.'),
  fixedRange: described(t.string, 'Versions that are fixed, as a range expression.'),
  severity: described(Severity, 'How bad the advisory is.'),
  reachability: described(
    FiniteNumber,
    'Score, a fraction: how reachable the vulnerable code is.',
    anyNumber,
  ),
  exploitSignal: described(FiniteNumber, 'Score, a fraction: how much hints at exploitation.', anyNumber),
  status: described(FindingStatus, 'Where the finding stands in its life.'),
  ciStatus: freeForm('What continuous integration says of the fix.'),
  discoveredAt: described(Timestamp, 'When the finding was made.'),
  updatedAt: described(Timestamp, 'When the finding last changed.'),
  reconciledAt: described(nullable(Timestamp), 'When the finding was last reconciled; null: not yet.'),
};

/** An item of `GET /api/v1/findings` (contract, section 2.2). */
export const Finding = t.strict(fields, 'Finding');
export type Finding = t.TypeOf<typeof Finding>;

/** The body of `GET /api/v1/findings` (contract, section 2.4). */
export const FindingPage = pageOf(Finding);
export type FindingPage = t.TypeOf<typeof FindingPage>;

/** The body of `GET /api/v1/findings/{id}`: a finding and, here only, `prCount` (contract, section 2.2). */
export const FindingDetail = t.strict(
  { ...fields, prCount: described(Integer, 'Number of its pull requests, whatever their state.') },
  'FindingDetail',
);
export type FindingDetail = t.TypeOf<typeof FindingDetail>;
