import * as t from 'io-ts';
import { described, freeForm, nullable } from './codecs/combinators.js';
import { Count, FiniteNumber } from './codecs/text-and-numbers.js';
import { Timestamp } from './codecs/timestamp.js';
import { FindingStatus, Severity } from './enums.js';
import { pageOf } from './page-and-limit.js';

const score = (description: string) =>
  described(FiniteNumber, description, 'Any finite number; the shipped data stays between 0 and 1.');

const fields = {
  id: described(t.string, 'Id of the fix draft that backs the finding; the path of getFinding takes it.'),
  repoId: described(t.string, 'Id of the connected repository that the finding is in.'),
  advisoryId: described(t.string, 'Identifier of the security advisory.'),
  package: described(t.string, 'Name of the dependent package.'),
  ecosystem: described(t.string, 'Package ecosystem, such as npm.'),
  vulnerableRange: described(t.string, 'Range of the vulnerable versions.'),
  fixedRange: described(t.string, 'Range of the fixed versions.'),
  severity: described(Severity, 'Severity of the advisory.'),
  reachability: score('Fractional score: how reachable the vulnerable code is.'),
  exploitSignal: score('Fractional score: how strong the signs of exploitation are.'),
  status: described(FindingStatus, 'Lifecycle status.'),
  ciStatus: freeForm('CI result for the fix.'),
  discoveredAt: described(Timestamp, 'When the finding was discovered.'),
  updatedAt: described(Timestamp, 'When the finding last changed.'),
  reconciledAt: described(nullable(Timestamp), 'When the finding was last reconciled, or null.'),
};

/** An item of `GET /api/v1/findings` (contract, section 2.2). */
export const Finding = t.strict(fields, 'Finding');
export type Finding = t.TypeOf<typeof Finding>;

/** The body of `GET /api/v1/findings` (contract, section 2.4). */
export const FindingPage = pageOf(Finding);
export type FindingPage = t.TypeOf<typeof FindingPage>;

/** The body of `GET /api/v1/findings/{id}`: lists have no `prCount` (contract, section 2.2). */
export const FindingDetail = t.strict(
  {
    ...fields,
    prCount: described(Count, 'Number of its pull requests.', 'All of them count, whatever their state.'),
  },
  'FindingDetail',
);
export type FindingDetail = t.TypeOf<typeof FindingDetail>;
