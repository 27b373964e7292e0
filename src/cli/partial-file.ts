import { appendFile, readFile, rm } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { hashPassword, isPassword } from '../accounts/hash-password.js';
import { parseJson } from '../common/parse-json.js';
import { type ResumeLog, SavedResponse } from '../recorder/resume-log.js';
import { PasswordHash } from '../records/password-hash.js';
import { writeFileAtomically } from './write-file-atomically.js';

/** What a recording has read so far, kept in a file until it is done. */
export type PartialFile = Readonly<{
  resumeLog: ResumeLog;
  /** How many answers it holds. */
  count: () => number;
  discard: () => Promise<void>;
}>;

/** Whose answers a partial file holds. Of the session it has a hash that is costly to guess from. */
const Header = t.strict(
  { partial: t.literal('triage-api record 1'), url: t.string, session: PasswordHash },
  'header of a partial file',
);

type Subject = Readonly<{ url: string; session: string }>;

/**
 * Opens the partial file of a recording: one line of JSON says whose it is, and each further line is an answer. A line that was
 * not written to its end is forgotten. `left`: why the file cannot be gone on from, or not be written.
 */
export const openPartial = async (
  file: string,
  subject: Subject,
  restart: boolean,
  pid: number,
): Promise<E.Either<string, PartialFile>> => {
  const begun = restart ? E.right(null) : await readIfThere(file);
  if (E.isLeft(begun)) return begun;
  const before = begun.right === null ? E.right([]) : await heardBefore(file, begun.right, subject);
  if (E.isLeft(before)) return before;

  const header = Header.encode({
    partial: 'triage-api record 1',
    url: subject.url,
    session: await hashPassword(subject.session),
  });
  const whole = [header, ...before.right].map((each) => `${JSON.stringify(each)}\n`).join('');
  const written = await writeFileAtomically(file, whole, pid)();
  if (E.isLeft(written)) return written;
  let count = before.right.length;
  return E.right({
    resumeLog: {
      saved: before.right,
      append: (response) =>
        TE.tryCatch(
          async () => {
            await appendFile(file, `${JSON.stringify(SavedResponse.encode(response))}\n`);
            count += 1;
          },
          (cause) => `${file}: expected a file that can be written, got ${String(cause)}`,
        ),
    },
    count: () => count,
    discard: () => rm(file, { force: true }),
  });
};

const heardBefore = async (
  file: string,
  text: string,
  { url, session }: Subject,
): Promise<E.Either<string, readonly SavedResponse[]>> => {
  const [first, ...lines] = text
    .split('\n')
    .slice(0, -1)
    .map((line) => parseJson(line));
  const header = Header.decode(first);
  const refused = (got: string) =>
    E.left(
      `${file}: expected what was read of ${url} with this session, got ${got} (--restart throws it away)`,
    );
  if (E.isLeft(header)) return refused('something else');
  if (header.right.url !== url) return refused(`what was read of ${header.right.url}`);
  if (!(await isPassword(session, header.right.session).catch(() => false)))
    return refused('what was read with another');
  const saved = lines.filter(SavedResponse.is);
  return saved.length === lines.length ? E.right(saved) : refused('lines that are no answers');
};

const readIfThere = async (file: string): Promise<E.Either<string, string | null>> => {
  try {
    return E.right(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return E.right(null);
    return E.left(`${file}: expected a file that can be read, got ${String(error)}`);
  }
};
