import test from 'ava';
import { diskModel } from './_disk-model.js';
import { systemCalls } from './_system-calls.js';

const hex = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

/** Lines as strace writes them. */
const open = (path: string, fd: number, flags: string): string =>
  `7 openat(AT_FDCWD, "${hex(path)}", ${flags}, 0666) = ${fd}`;
const create = (path: string, fd: number): string => open(path, fd, 'O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC');
const write = (fd: number, text: string): string =>
  `8 write(${fd}, "${hex(text)}", ${text.length}) = ${text.length}`;
const sync = (fd: number): string => `9 fsync(${fd}) = 0`;
const close = (fd: number): string => `9 close(${fd}) = 0`;
const rename = (from: string, to: string): string => `8 rename("${hex(from)}", "${hex(to)}") = 0`;
const directorySync = [open('/state', 5, 'O_RDONLY|O_CLOEXEC'), sync(5), close(5)];

/** What a file may hold if the power fails after these calls. */
const survivorsOf = (...lines: readonly string[]): readonly (string | null)[] => {
  const disk = diskModel('/state');
  for (const call of systemCalls(lines.join('\n'))) disk.apply(call);
  return disk.survivors('file').map(({ content }) => (content === null ? null : String(content)));
};

const replacement = (text: string) => [
  create('/state/new', 4),
  write(4, text),
  sync(4),
  close(4),
  rename('/state/new', '/state/file'),
];
const settled = [...replacement('old'), ...directorySync];

test('a file that was synced, renamed and whose directory was synced survives', (t) => {
  t.deepEqual(survivorsOf(...settled), ['old']);
  t.deepEqual(survivorsOf(...settled, ...replacement('new'), ...directorySync), ['new']);
});

test('a name that was not synced may be lost', (t) => {
  const survivors = survivorsOf(...settled, ...replacement('new'));
  t.true(survivors.includes('old'));
  t.true(survivors.includes('new'));
});

test('a file that was not synced before it was renamed may be broken', (t) => {
  const unsynced = replacement('new').filter((line) => line !== sync(4));
  t.true(survivorsOf(...settled, ...unsynced, ...directorySync).includes(null));
});

test('a sync before the last write does not cover it', (t) => {
  const early = [
    create('/state/new', 4),
    write(4, 'ne'),
    sync(4),
    write(4, 'w'),
    rename('/state/new', '/state/file'),
  ];
  const survivors = survivorsOf(...settled, ...early, ...directorySync);
  t.true(survivors.includes('ne'));
  t.true(survivors.includes('ne\0'));
});

test('a sync that has failed counts for nothing', (t) => {
  const failed = replacement('new').map((line) =>
    line === sync(4) ? '9 fsync(4) = -1 EIO (Input/output error)' : line,
  );
  t.deepEqual(survivorsOf(...settled, ...failed, ...directorySync), [null]);
});

test('a call that another thread has interrupted counts where it returns', (t) => {
  const [created = '', written = '', , closed = '', renamed = ''] = replacement('new');
  const halves = ['9 fsync(4 <unfinished ...>', '9 <... fsync resumed>) = 0'];
  const within = [created, written, halves[0] ?? '', halves[1] ?? '', closed, renamed];
  const late = [created, written, halves[0] ?? '', renamed];
  t.deepEqual(survivorsOf(...settled, ...within, ...directorySync), ['new']);
  t.deepEqual(survivorsOf(...settled, ...late, ...directorySync), [null]);
});

test('a file that is written in place may be broken until it is synced', (t) => {
  const inPlace = [create('/state/file', 4), write(4, 'new')];
  t.deepEqual(survivorsOf(...settled, ...inPlace), [null]);
  t.deepEqual(survivorsOf(...settled, ...inPlace, sync(4)), ['new']);
});

const reopen = open('/state/file', 4, 'O_RDWR|O_CLOEXEC');
const append = (text: string, offset: number): string =>
  `8 pwrite64(4, "${hex(text)}", ${text.length}, ${offset}) = ${text.length}`;
const dataSync = (fd: number): string => `9 fdatasync(${fd}) = 0`;

test('of what was appended, any part may be there until it is synced, or zeros', (t) => {
  const appended = [...settled, reopen, append('12345', 3)];
  t.deepEqual(survivorsOf(...appended), [
    ...['old', 'old1', 'old12', 'old1234', 'old\0\0\0\0\0', 'old\0\x00345', 'old12\0\0\0', 'old12345'],
  ]);
  t.deepEqual(survivorsOf(...appended, dataSync(4)), ['old12345']);

  const begun = `${append('12345', 3).replace(/\) = 5$/, '')} <unfinished ...>`;
  const interrupted = [...settled, reopen, begun, '8 <... pwrite64 resumed>) = 5', dataSync(4)];
  t.deepEqual(survivorsOf(...interrupted), ['old12345']);
});

test('what was cut off may be back until that is synced; appending before that may break the file', (t) => {
  const appended = [...settled, reopen, append('12', 3), dataSync(4)];
  const cut = [...appended, '8 ftruncate(4, 3) = 0'];
  t.deepEqual(survivorsOf(...cut), ['old12', 'old']);
  t.deepEqual(survivorsOf(...cut, dataSync(4)), ['old']);
  t.deepEqual(survivorsOf(...cut, append('3', 3)), [null]);
});

test('files elsewhere do not matter', (t) => {
  t.deepEqual(survivorsOf(...settled, create('/other/file', 4), write(4, 'x')), ['old']);
});
