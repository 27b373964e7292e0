import { open } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { endOfSnapshot, recordOfLine } from './journal-line.js';
import { type FileLine, readLines } from './read-lines.js';

/** Takes a record, as JSON text; returns what is wrong with it, one line for each problem. */
export type TakeRecord = (record: string) => readonly string[];

/** Bytes at the end of a journal that are no whole record: the process ended while it was writing them. */
export type JournalTail = Readonly<{ lostBytes: number }>;

/**
 * Reads a journal record by record. `left`: why it cannot be used, one line for each problem.
 *
 * A damaged end is what a crash or a power failure leaves of a record that was not acknowledged; it is
 * ignored. A damaged record with others after it was acknowledged, and something else has damaged it.
 */
export const readJournal = async (
  file: string,
  take: TakeRecord,
): Promise<E.Either<readonly string[], JournalTail>> => {
  const handle = await open(file, 'r');
  try {
    let damaged: FileLine | null = null;
    let isSnapshot = true;
    for await (const line of readLines(handle)) {
      const record = line.isWhole ? recordOfLine(line.bytes) : null;
      if (record === null) {
        damaged ??= line;
      } else if (damaged !== null) {
        return E.left([damagedLine(file, damaged, 'but later ones are not')]);
      } else if (record === endOfSnapshot) {
        isSnapshot = false;
      } else {
        const problems = take(record);
        if (problems.length > 0) return E.left(problems.map((each) => `${file}:${line.number}: ${each}`));
      }
    }
    if (isSnapshot)
      return E.left([
        damaged === null
          ? `${file}: the file is incomplete: its end is missing. Restore a backup of it.`
          : damagedLine(file, damaged, 'and it belongs to the snapshot at the beginning'),
      ]);
    if (damaged === null) return E.right({ lostBytes: 0 });
    const { size } = await handle.stat();
    return E.right({ lostBytes: size - damaged.offset });
  } finally {
    await handle.close();
  }
};

const damagedLine = (file: string, { number, offset }: FileLine, why: string): string =>
  `${file}:${number}: the record at byte ${offset} is damaged, ${why}, so this is not the result of a crash. ` +
  `The file was left unchanged. Restore a backup of it, or delete line ${number} to start without that record.`;
