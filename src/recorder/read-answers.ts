import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RequestAuth } from '../client/api-request.js';
import type { Answers } from './answers.js';
import { listSources, type Tell } from './list-sources.js';
import type { Listener } from './listener.js';
import { type Reading, type Settle, type Source, settling } from './reading.js';
import type { RecordError } from './record-error.js';

/** What a server shows to a user, as it was at one moment. */
export type ReadAnswers = Readonly<{
  answers: Answers;
  /** That moment by the clock of the server, in milliseconds; null: it does not tell. */
  date: number | null;
  /** What is odd about its lists each time they are read. */
  oddities: readonly string[];
}>;

/**
 * Reads all lists whole. At last it looks at the beginning of each once more: where new rows come, they come there. What has
 * changed is read again, until all of them stand still at once, or one has been read too often.
 */
export const readAnswers = async (
  listen: Listener,
  who: RequestAuth,
  tell: Tell,
): Promise<E.Either<RecordError, ReadAnswers>> => {
  const sources = listSources(listen, who, tell);
  const repos = watched(sources.repos);
  const findings = watched(sources.findings);
  const prs = watched(sources.prs);
  const all = [repos, findings, prs];
  let isStill = false;
  while (!isStill) {
    for (const each of all) {
      const problem = await each.readIfChanged();
      if (problem !== null) return E.left(problem);
    }
    isStill = true;
    for (const each of all) {
      const looked = await each.look();
      if (E.isLeft(looked)) return looked;
      if (!looked.right) isStill = false;
    }
  }
  return E.right({
    answers: { repos: repos.rows(), findings: findings.rows(), prs: prs.rows() },
    date: repos.date(),
    oddities: all.flatMap((each) => each.signs().map((sign) => `${each.name}: ${sign}`)),
  });
};

/** A list that is read anew when it has changed. */
const watched = <A>(source: Source<A>) => {
  const settle: Settle<A> = settling(source);
  let reading: Reading<A> = { rows: [], head: '', date: null, isWhole: true, signs: [] };
  let isFresh = false;
  return {
    name: source.name,
    rows: () => reading.rows,
    date: () => reading.date,
    signs: () => reading.signs,
    readIfChanged: async (): Promise<RecordError | null> => {
      if (isFresh) return null;
      const read = await settle();
      if (E.isLeft(read)) return read.left;
      reading = read.right;
      isFresh = true;
      return null;
    },
    /** Whether it still is what was read. */
    look: async (): Promise<E.Either<RecordError, boolean>> =>
      pipe(
        await source.look(),
        E.map(({ head, date }) => {
          isFresh = head === reading.head;
          if (isFresh) reading = { ...reading, date };
          return isFresh;
        }),
      ),
  };
};
