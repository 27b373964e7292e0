import type * as t from 'io-ts';
import { described, describedAs, nullable } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { FiniteNumber, Identifier, Text } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { FindingStatus, Severity } from '../contract/enums.js';
import { Finding } from '../contract/finding.js';

const finding = Finding.type.props;

/** The draft of a fix for one vulnerable package of one repository: the record behind a finding. */
export const FixDraftRecord = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among fixDrafts. It is the id of the finding.'),
    repoId: described(Identifier, 'Id of an entry of repos.'),
    advisoryId: describedAs(finding.advisoryId, Text),
    package: describedAs(finding.package, Text),
    ecosystem: describedAs(finding.ecosystem, Text),
    vulnerableRange: describedAs(finding.vulnerableRange, Text),
    fixedRange: describedAs(finding.fixedRange, Text),
    severity: describedAs(finding.severity, Severity),
    reachability: describedAs(finding.reachability, FiniteNumber),
    exploitSignal: describedAs(finding.exploitSignal, FiniteNumber),
    status: describedAs(finding.status, FindingStatus),
    ciStatus: describedAs(finding.ciStatus, Text, 'Any text.'),
    discoveredAt: describedAs(finding.discoveredAt, Timestamp, 'Lists show the latest first.'),
    updatedAt: describedAs(finding.updatedAt, Timestamp),
    reconciledAt: describedAs(finding.reconciledAt, nullable(Timestamp)),
  },
  'fix draft',
);
export type FixDraftRecord = t.TypeOf<typeof FixDraftRecord>;
