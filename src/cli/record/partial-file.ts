import { appendFile, readFile, rm } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { hashPassword, isPassword } from '../../accounts/hash-password.js';
import { parseJson } from '../../common/parse-json.js';
import { type ResumeLog, SavedResponse } from '../../recorder/resume-log.js';
import { PasswordHash } from '../../records/password-hash.js';
import { writeFileAtomically } from '../output/write-file-atomically.js';

/** The file that keeps what a recording has read until the recording is complete. */
export type PartialFile = Readonly<{
  resumeLog: ResumeLog;
  /** The number of responses in the file. */
  count: () => number;
  discard: () => Promise<void>;
}>;

/** Which server and session the responses belong to. The session is stored as a slow hash. */
const Header = t.strict(
  { partial: t.literal('triage-api record 1'), url: t.string, session: PasswordHash },
  'header of a partial file',
);

type Subject = Readonly<{ url: string; session: string }>;

/**
 * Opens the partial file of a recording. Its first line is the header, and each further line is an answer,
 * both as JSON. An incomplete last line is dropped. `left`: why the file cannot be continued or written.
 */
export const openPartialFile = async (
  file: string,
  subject: Subject,
  restart: boolean,
  pid: number,
): Promise<E.Either<string, PartialFile>> => {
  const existing = restart ? E.right(null) : await readIfExists(file);
  if (E.isLeft(existing)) return existing;
  const before = existing.right === null ? E.right([]) : await savedResponses(file, existing.right, subject);
  if (E.isLeft(before)) return before;

  const header = Header.encode({
    partial: 'triage-api record 1',
    url: subject.url,
    session: await hashPassword(subject.session),
  });
  const text = [header, ...before.right].map((each) => `${JSON.stringify(each)}\n`).join('');
  const written = await writeFileAtomically(file, text, pid)();
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
          (cause) => `cannot write ${file}: ${String(cause)}`,
        ),
    },
    count: () => count,
    discard: () => rm(file, { force: true }),
  });
};

const savedResponses = async (
  file: string,
  text: string,
  { url, session }: Subject,
): Promise<E.Either<string, readonly SavedResponse[]>> => {
  const [first, ...lines] = text
    .split('\n')
    .slice(0, -1)
    .map((line) => parseJson(line));
  const header = Header.decode(first);
  const refuse = (problem: string) => E.left(`${file} ${problem}; pass --restart to discard it`);
  if (E.isLeft(header)) return refuse('is not a partial recording');
  if (header.right.url !== url) return refuse(`belongs to a recording of ${header.right.url}`);
  if (!(await isPassword(session, header.right.session).catch(() => false)))
    return refuse('belongs to a recording with another session');
  const responses = lines.filter(SavedResponse.is);
  return responses.length === lines.length
    ? E.right(responses)
    : refuse('contains lines that are not responses');
};

const readIfExists = async (file: string): Promise<E.Either<string, string | null>> => {
  try {
    return E.right(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return E.right(null);
    return E.left(`cannot read ${file}: ${String(error)}`);
  }
};
