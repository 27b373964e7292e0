import { appendFile, open, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { type JournalFile, journalFile, type OpenFile } from '../../src/files/journal-file.js';
import { journalLine, recordOfLine } from '../../src/files/journal-line.js';
import { readJournal } from '../../src/files/read-journal.js';
import { type FileLine, readLines } from '../../src/files/read-lines.js';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { faultyFiles } from './_faulty-files.js';

const lock = { id: 'w', assertHeld: async () => {} };

/** A journal that was begun with the records `"a"` and `"b"`. */
const begun = async (t: ExecutionContext, openFile?: OpenFile) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'journal');
  const journal = await journalFile(file, { lock, openFile });
  await journal.rewrite(['"a"', '"b"']);
  return { directory, file, journal };
};

const recordsOf = async (file: string): Promise<readonly string[] | string> => {
  const records: string[] = [];
  const read = await readJournal(file, (record) => {
    records.push(record);
    return [];
  });
  return E.isRight(read) ? records : read.left.join('\n').replaceAll(file, 'FILE');
};

const lostBytes = async (file: string): Promise<number | null> => {
  const read = await readJournal(file, () => []);
  return E.isRight(read) ? read.right.lostBytes : null;
};

test('a line gives its record back, and a changed one does not', (t) => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.integer({ min: 1, max: 255 }), (record, position, change) => {
      const line = Buffer.from(journalLine(record)).subarray(0, -1);
      t.is(recordOfLine(line), record);
      const index = position % line.length;
      const changed = Buffer.from(line);
      changed[index] = (changed[index] ?? 0) ^ change;
      t.is(recordOfLine(changed), null);
      t.is(recordOfLine(line.subarray(0, index)), null);
    }),
  );
});

test('lines of any length are read with their places', async (t) => {
  const lines = ['', 'x'.repeat(3_000_000), 'short', 'y'.repeat(1024 * 1024 - 1), '', 'end'];
  const file = join(await directoryWith(t, { lines: lines.join('\n') }), 'lines');
  const handle = await open(file, 'r');
  const read: FileLine[] = [];
  for await (const line of readLines(handle)) read.push(line);
  await handle.close();
  t.deepEqual(
    read.map(({ bytes }) => String(bytes)),
    lines,
  );
  t.deepEqual(
    read.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6],
  );
  t.is(read[3]?.offset, 1 + 3_000_001 + 6);
  t.deepEqual(
    read.map(({ isWhole }) => isWhole),
    [true, true, true, true, true, false],
  );
});

test('records are appended after those of the snapshot; only the user may read the file', async (t) => {
  const { directory, file, journal } = await begun(t);
  t.true(await journal.append('{"c":1}'));
  t.deepEqual(await recordsOf(file), ['"a"', '"b"', '{"c":1}']);
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.deepEqual(await readdir(directory), ['journal']);
  const { snapshot, total } = journal.length();
  t.is(total - snapshot, journalLine('{"c":1}').length);
  for (const line of (await readFile(file, 'utf8')).trimEnd().split('\n'))
    t.notThrows(() => JSON.parse(line), 'each line is JSON');
});

test('wherever the last record breaks off, the ones before it are read and the rest is counted', async (t) => {
  const { file, journal } = await begun(t);
  await journal.append('"c"');
  const whole = await readFile(file);
  const last = journalLine('"c"').length;
  for (let missing = 1; missing < last; missing += 1) {
    const torn = whole.subarray(0, whole.length - missing);
    for (const rest of ['', '\0'.repeat(missing), '\n[]\n'.repeat(3)]) {
      await writeFile(file, Buffer.concat([torn, Buffer.from(rest)]));
      // With a line end in place of its own, the record is whole.
      const isWhole = missing === 1 && rest.startsWith('\n');
      t.deepEqual(await recordsOf(file), isWhole ? ['"a"', '"b"', '"c"'] : ['"a"', '"b"']);
      t.is(await lostBytes(file), last - missing + rest.length - (isWhole ? last : 0));
    }
  }
});

test('a damaged record with others after it is refused, with its place', async (t) => {
  const { file, journal } = await begun(t);
  await journal.append('"c"');
  await journal.append('"d"');
  const text = await readFile(file, 'utf8');
  const offset = text.indexOf(journalLine('"c"'));
  await writeFile(file, text.replace('"c"', '"x"'));
  t.is(
    await recordsOf(file),
    `FILE:4: the record at byte ${offset} is damaged, but later ones are not, so this is not the result of a crash. ` +
      'The file was left unchanged. Restore a backup of it, or delete line 4 to start without that record.',
  );
  await writeFile(file, text.replace(journalLine('"c"'), ''));
  t.deepEqual(await recordsOf(file), ['"a"', '"b"', '"d"'], 'what the message says works');
});

test('several damaged records at the end are refused, because a crash damages one', async (t) => {
  const { file, journal } = await begun(t);
  await journal.append('"c"');
  await journal.append('"d"');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('"d"', '"y"'));
  t.deepEqual(await recordsOf(file), ['"a"', '"b"', '"c"']);
  const damaged = text.replace('"c"', '"x"').replace('"d"', '"y"');
  await writeFile(file, damaged);
  t.regex(String(await recordsOf(file)), /^FILE:4: the record at byte \d+ is damaged, and so are later ones/);
  t.is(await readFile(file, 'utf8'), damaged);
});

test('of the snapshot nothing may be missing, not even at its end', async (t) => {
  const { file } = await begun(t);
  const { size } = await stat(file);
  for (const length of [size - 1, size - 5, 20]) {
    await truncate(file, length);
    const problem = String(await recordsOf(file));
    t.regex(problem, /is damaged, and it belongs to the snapshot at the beginning/);
    t.regex(problem, /Restore a backup of it\.$/, 'deleting the line would not help');
  }
  await truncate(file, journalLine('"a"').length);
  t.is(await recordsOf(file), 'FILE: the file is incomplete: its end is missing. Restore a backup of it.');
});

test('a record that could be written only in part is cut off at once', async (t) => {
  const files = faultyFiles();
  const { file, journal } = await begun(t, files.openFile);
  const before = await readFile(file, 'utf8');
  files.fail.write = new Error('ENOSPC');
  await t.throwsAsync(journal.append('"lost"'), { message: 'ENOSPC' });
  t.is(await readFile(file, 'utf8'), before);
  files.fail.write = null;
  t.true(await journal.append('"c"'));
  t.deepEqual(await recordsOf(file), ['"a"', '"b"', '"c"']);
});

/** What has to happen before the next record can be appended. */
const needsRewriting = async (t: ExecutionContext, file: string, journal: JournalFile): Promise<void> => {
  t.false(await journal.append('"c"'));
  await journal.rewrite(['"a"', '"b"', '"c"']);
  t.true(await journal.append('"d"'));
  t.deepEqual(await recordsOf(file), ['"a"', '"b"', '"c"', '"d"']);
};

test('if it cannot be cut off, the file has to be rewritten', async (t) => {
  const files = faultyFiles();
  const { file, journal } = await begun(t, files.openFile);
  files.fail.write = new Error('EIO');
  files.fail.truncate = new Error('EIO');
  await t.throwsAsync(journal.append('"lost"'));
  files.fail.write = null;
  await needsRewriting(t, file, journal);
});

test('after a failed synchronization the file has to be rewritten', async (t) => {
  const files = faultyFiles();
  const { file, journal } = await begun(t, files.openFile);
  files.fail.datasync = new Error('EIO');
  await t.throwsAsync(journal.append('"lost"'), { message: 'EIO' });
  files.fail.datasync = null;
  await needsRewriting(t, file, journal);
});

test('a file that is gone or was replaced has to be rewritten; one that comes back is used', async (t) => {
  const { directory, file, journal } = await begun(t);
  await rename(file, join(directory, 'elsewhere'));
  t.false(await journal.append('"c"'));
  await rename(join(directory, 'elsewhere'), file);
  t.true(await journal.append('"c"'));
  await appendFile(file, 'something');
  t.false(await journal.append('"d"'));
  await writeFile(file, 'something');
  await needsRewriting(t, file, journal);
});

test('without the lock nothing is written; a lock that was lost during a write keeps it from counting', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'journal');
  const checks: (Error | null)[] = [];
  const journal = await journalFile(file, {
    lock: {
      id: 'w',
      assertHeld: async () => {
        const error = checks.shift();
        if (error) throw error;
      },
    },
  });
  await journal.rewrite(['"a"', '"b"']);
  const before = await readFile(file, 'utf8');
  checks.push(new Error('in use'));
  await t.throwsAsync(journal.append('"lost"'), { message: 'in use' });
  t.is(await readFile(file, 'utf8'), before);
  checks.push(null, new Error('in use'));
  await t.throwsAsync(journal.append('"lost"'), { message: 'in use' });
  checks.push(new Error('in use'));
  await t.throwsAsync(journal.rewrite(['"x"']), { message: 'in use' });
  t.deepEqual(await readdir(directory), ['journal']);
  await needsRewriting(t, file, journal);
});

test('what a former holder appends after a takeover does not reach the file of the new one', async (t) => {
  const { file, journal } = await begun(t);
  const next = await journalFile(file, { lock: { id: 'n', assertHeld: async () => {} } });
  await next.rewrite(['"a"', '"b"', '"n"']);
  // It still believes that it holds the lock.
  t.false(await journal.append('"late"'));
  t.true(await next.append('"o"'));
  t.deepEqual(await recordsOf(file), ['"a"', '"b"', '"n"', '"o"']);
});

test('records that are appended during a rewriting are in both files', async (t) => {
  const { file, journal } = await begun(t);
  const long = `"${'x'.repeat(100_000)}"`;
  const appended: string[] = [];
  const appending = async (): Promise<void> => {
    for (let i = 0; i < 20; i += 1) {
      await journal.append(String(i));
      appended.push(String(i));
    }
  };
  const copies: (readonly string[] | string)[] = [];
  await Promise.all([
    journal.rewrite(Array.from({ length: 50 }, () => long)),
    appending(),
    recordsOf(file).then((records) => copies.push(records)),
  ]);
  t.is(copies[0]?.[0], '"a"');
  const records = await recordsOf(file);
  t.deepEqual(records.slice(50), appended);
});

test('a rewriting that fails leaves the file alone, and records can still be appended', async (t) => {
  const files = faultyFiles();
  const { directory, file, journal } = await begun(t, files.openFile);
  files.fail.write = new Error('ENOSPC');
  await t.throwsAsync(journal.rewrite(['"x"']), { message: 'ENOSPC' });
  files.fail.write = null;
  t.true(await journal.append('"c"'));
  t.deepEqual(await recordsOf(file), ['"a"', '"b"', '"c"']);
  t.deepEqual(await readdir(directory), ['journal']);
});
