import { appendFile, readFile, rm } from 'node:fs/promises';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { hashPassword, isPassword } from '../../accounts/hash-password.js';
import { parseJson } from '../../common/parse-json.js';
import { PasswordHash } from '../../records/password-hash.js';
import { writeFileAtomically } from './write-file-atomically.js';

/** The file that keeps what a run has read until the run is complete. */
export type PartialFile<A> = Readonly<{
  /** The entries of earlier runs. */
  saved: readonly A[];
  /** Adds an entry. `left`: why it could not be written. */
  append: (entry: A) => TE.TaskEither<string, void>;
  /** Discards all entries but the first ones. `left`: why it was not possible. */
  keepFirst: (count: number) => TE.TaskEither<string, void>;
  /** The number of entries in the file. */
  count: () => number;
  discard: () => Promise<void>;
}>;

/** What a run is about. Only a run about the same continues the file. */
export type PartialSubject = Readonly<{
  /** The kind of the file and its version. */
  kind: string;
  /** The options that change what is read, by their flags; the file shows them. */
  options: Readonly<Record<string, string>>;
  /** The credentials; the file has a slow hash of them. */
  credentials: readonly (string | null)[];
}>;

/** How to open a partial file. */
export type PartialOptions<A> = Readonly<{
  subject: PartialSubject;
  /** The codec of an entry. */
  entry: t.Type<A, unknown>;
  /** Whether to discard what is in the file. */
  restart: boolean;
  pid: number;
}>;

const Header = t.strict(
  { partial: t.string, options: t.record(t.string, t.string), credentials: PasswordHash },
  'header of a partial file',
);
type Header = t.TypeOf<typeof Header>;

type Content<A> = Readonly<{ header: Header; entries: readonly A[] }>;

/**
 * Opens the partial file of a run, which only its owner can read. Its first line is the header, and each
 * further line is an entry, both as JSON. A line counts only with its end: a process that is killed while it
 * writes leaves an incomplete last line, which is dropped. `left`: why the file cannot be continued or
 * written; it is then left as it is.
 */
export const openPartialFile = async <A>(
  file: string,
  { subject, entry, restart, pid }: PartialOptions<A>,
): Promise<E.Either<string, PartialFile<A>>> => {
  const existing = await readIfExists(file);
  if (E.isLeft(existing)) return existing;
  const lines = linesOf(existing.right ?? '');
  // Not even `restart` overwrites a file that is something else.
  if (existing.right && !isPartialFile(lines))
    return E.left(`${file} is not a partial file; remove it, or choose another name`);
  const before =
    restart || lines.length === 0
      ? E.right({ header: await newHeader(subject), entries: [] })
      : await savedContent(file, lines, subject, entry);
  if (E.isLeft(before)) return before;

  const { header, entries } = before.right;
  let written: string[] = entries.map((each) => JSON.stringify(entry.encode(each)));
  const rewrite = (kept: string[]): TE.TaskEither<string, void> =>
    pipe(
      writeFileAtomically(
        file,
        [JSON.stringify(Header.encode(header)), ...kept].map((line) => `${line}\n`).join(''),
        pid,
      ),
      TE.tapIO(() => () => {
        written = kept;
      }),
    );
  const rewritten = await rewrite(written)();
  if (E.isLeft(rewritten)) return rewritten;
  return E.right({
    saved: entries,
    append: (added) =>
      TE.tryCatch(
        async () => {
          const line = JSON.stringify(entry.encode(added));
          await appendFile(file, `${line}\n`);
          written.push(line);
        },
        (cause) => `cannot write ${file}: ${String(cause)}`,
      ),
    keepFirst: (count) => rewrite(written.slice(0, count)),
    count: () => written.length,
    discard: () => rm(file, { force: true }),
  });
};

/** The values of the complete lines. */
const linesOf = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => parseJson(line));

const isPartialFile = ([first]: readonly unknown[]): boolean => t.type({ partial: t.string }).is(first);

const newHeader = async ({ kind, options, credentials }: PartialSubject): Promise<Header> => ({
  partial: kind,
  options: { ...options },
  credentials: await hashPassword(JSON.stringify(credentials)),
});

const savedContent = async <A>(
  file: string,
  [first, ...lines]: readonly unknown[],
  subject: PartialSubject,
  entry: t.Type<A, unknown>,
): Promise<E.Either<string, Content<A>>> => {
  const header = Header.decode(first);
  const refuse = (problem: string) => E.left(`${file} ${problem}; pass --restart to discard it`);
  if (E.isLeft(header) || header.right.partial !== subject.kind)
    return refuse(`is of another version or command than "${subject.kind}"`);
  const other = otherOption(header.right.options, subject.options);
  if (other !== null) return refuse(`belongs to a run with ${other}`);
  if (!(await isPassword(JSON.stringify(subject.credentials), header.right.credentials).catch(() => false)))
    return refuse('belongs to a run with other credentials');
  const entries = lines.filter((line): line is A => entry.is(line));
  return entries.length === lines.length
    ? E.right({ header: header.right, entries })
    : refuse('contains lines that are not entries');
};

/** The first option with another value than this run has, as a command line has it; null if there is none. */
const otherOption = (
  saved: Readonly<Record<string, string>>,
  current: Readonly<Record<string, string>>,
): string | null => {
  const flags = new Set([...Object.keys(current), ...Object.keys(saved)]);
  const different = Array.from(flags).find((flag) => saved[flag] !== current[flag]);
  return different === undefined ? null : `${different} ${saved[different] ?? 'unset'}`;
};

const readIfExists = async (file: string): Promise<E.Either<string, string | null>> => {
  try {
    return E.right(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return E.right(null);
    return E.left(`cannot read ${file}: ${String(error)}`);
  }
};
