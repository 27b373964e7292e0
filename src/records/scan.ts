import type * as t from 'io-ts';
import { described, describedAs, nullable } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count, Identifier, Text } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { LastScan } from '../contract/repo.js';

const scan = LastScan.type.props;

/** One scan of a repository. `status` is free-form; `error` is null when the scan had none. */
export const ScanRecord = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among scans.'),
    repoId: described(Identifier, 'Id of an entry of repos.'),
    startedAt: describedAs(
      scan.startedAt,
      Timestamp,
      'The scan that began last is the last scan of its repository.',
    ),
    finishedAt: describedAs(scan.finishedAt, Timestamp),
    status: describedAs(scan.status, Text, 'Any text.'),
    findingsSeen: describedAs(scan.findingsSeen, Count),
    draftsOpened: describedAs(scan.draftsOpened, Count),
    error: describedAs(scan.error, nullable(Text)),
  },
  'scan',
);
export type ScanRecord = t.TypeOf<typeof ScanRecord>;
