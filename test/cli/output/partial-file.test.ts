import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import {
  openPartialFile,
  type PartialFile,
  type PartialSubject,
} from '../../../src/cli/output/partial-file.js';
import { directoryWith } from '../../storage/fixtures/_directory.js';

const Entry = io.strict({ name: io.string }, 'Entry');
type Entry = io.TypeOf<typeof Entry>;

const subject: PartialSubject = { kind: 'test 1', options: { '--url': 'a' }, credentials: ['s', null] };

const open = (file: string, over: Partial<PartialSubject> = {}, restart = false) =>
  openPartialFile(file, { subject: { ...subject, ...over }, entry: Entry, restart, pid: 1 });

const opened = async (result: Promise<E.Either<string, PartialFile<Entry>>>): Promise<PartialFile<Entry>> => {
  const either = await result;
  if (E.isLeft(either)) throw new Error(either.left);
  return either.right;
};

test('whatever byte a writer was killed at, the complete entries are continued and no other', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'x');
  const entries = [{ name: 'one' }, { name: 'two\n' }, { name: 'drei – 三' }];
  const partial = await opened(open(file));
  for (const entry of entries) await partial.append(entry)();
  const bytes = await readFile(file);
  const headerLength = bytes.indexOf('\n') + 1;
  t.is((await stat(file)).mode & 0o777, 0o600);
  // Some of the bytes, because each opening hashes the credentials twice.
  for (let length = bytes.length; length >= headerLength; length -= 23) {
    await writeFile(file, bytes.subarray(0, length));
    const complete = bytes.subarray(headerLength, length).toString('latin1').split('\n').length - 1;
    const again = await opened(open(file));
    t.deepEqual(again.saved, entries.slice(0, complete), String(length));
    await again.append({ name: 'next' })();
    t.deepEqual((await opened(open(file))).saved, [...entries.slice(0, complete), { name: 'next' }]);
  }
});

test('all entries but the first ones can be discarded', async (t) => {
  const file = join(await directoryWith(t, {}), 'x');
  const partial = await opened(open(file));
  for (const name of ['a', 'b', 'c']) await partial.append({ name })();
  t.true(E.isRight(await partial.keepFirst(1)()));
  await partial.append({ name: 'd' })();
  t.is(partial.count(), 2);
  t.deepEqual((await opened(open(file))).saved, [{ name: 'a' }, { name: 'd' }]);
});

test('a run about something else does not continue the file, and does not change it', async (t) => {
  const file = join(await directoryWith(t, {}), 'x');
  await (await opened(open(file))).append({ name: 'a' })();
  const before = await readFile(file, 'utf8');
  t.false(before.includes('"s"'));
  for (const [over, problem] of [
    [{ kind: 'test 2' }, 'is of another version or command than "test 2"'],
    [{ options: { '--url': 'b' } }, 'belongs to a run with --url a'],
    [{ options: { '--url': 'a', '--more': 'c' } }, 'belongs to a run with --more unset'],
    [{ credentials: ['s', 't'] }, 'belongs to a run with other credentials'],
    [{ credentials: [null, 's'] }, 'belongs to a run with other credentials'],
  ] as const) {
    t.deepEqual(await open(file, over), E.left(`${file} ${problem}; pass --restart to discard it`));
  }
  t.is(await readFile(file, 'utf8'), before);
  t.deepEqual((await opened(open(file, { kind: 'test 2' }, true))).saved, []);
});

test('a damaged line in the middle is not skipped', async (t) => {
  const file = join(await directoryWith(t, {}), 'x');
  const partial = await opened(open(file));
  await partial.append({ name: 'a' })();
  await writeFile(file, `${await readFile(file, 'utf8')}{"na\n{"name":"b"}\n`);
  t.deepEqual(
    await open(file),
    E.left(`${file} contains lines that are not entries; pass --restart to discard it`),
  );
});
