import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { Identifier } from '../../codecs/text.js';
import type { PresentedCredentials, StorageError, TriageStorage, Unauthorized } from '../port.js';
import { answerOf } from './answer-of.js';
import type { Database, Statement } from './database.js';
import { frozen } from './frozen.js';
import { findingQuestion, findingsQuestion, prsQuestion, type Question, reposQuestion } from './questions.js';
import { askedStatement, callerStatement, questionStatement } from './statements.js';

type Dependencies = Readonly<{
  primary: Database;
  /** Where the API reads; null: from the primary as well. */
  replica: Database | null;
  /** Told of a token whose use is to be noted. */
  noteUse: (credentials: PresentedCredentials) => void;
}>;

type Refused = StorageError | Unauthorized;
type Asking = <A>(credentials: PresentedCredentials, question: Question<A>) => TE.TaskEither<Refused, A>;

const CallerRow = t.strict({ userId: Identifier, useDue: t.boolean }, 'caller');
type CallerRow = t.TypeOf<typeof CallerRow>;
const AnswerRow = t.strict({ answer: t.unknown }, 'answer');
const AskedRow = t.strict({ userId: Identifier, useDue: t.boolean, answer: t.unknown }, 'caller and answer');

/**
 * What the API asks. On one database a question is one statement, which settles who asks as well. With a replica it is two:
 * who asks is settled on the primary, so that a token that was revoked just now is refused however far the replica is behind.
 */
export const postgresReading = ({ primary, replica, noteUse }: Dependencies): TriageStorage => {
  const asking: Asking =
    replica === null ? askTogether(primary, noteUse) : askApart(primary, replica, noteUse);
  return {
    repos: (credentials) => asking(credentials, reposQuestion),
    findings: (credentials, query) => asking(credentials, findingsQuestion(query)),
    finding: (credentials, id) => asking(credentials, findingQuestion(id)),
    prs: (credentials, query) => asking(credentials, prsQuestion(query)),
  };
};

/** Whom credentials belong to, and whether a use of the token is to be noted. */
export const askCaller = (
  database: Database,
  credentials: PresentedCredentials,
): TE.TaskEither<Refused, CallerRow> =>
  onlyRow(database, callerStatement(credentials), CallerRow, 'caller_of');

const askTogether =
  (database: Database, noteUse: Dependencies['noteUse']): Asking =>
  (credentials, question) =>
    pipe(
      onlyRow(database, askedStatement(credentials, question), AskedRow, question.name),
      TE.flatMapEither(({ useDue, answer }) => {
        if (useDue) noteUse(credentials);
        return answerTo(question)(answer);
      }),
    );

const askApart =
  (primary: Database, replica: Database, noteUse: Dependencies['noteUse']): Asking =>
  (credentials, question) =>
    pipe(
      askCaller(primary, credentials),
      TE.flatMap((caller) => {
        if (caller.useDue) noteUse(credentials);
        return onlyRow(replica, questionStatement(caller, question), AnswerRow, question.name);
      }),
      TE.flatMapEither(({ answer }) => answerTo(question)(answer)),
    );

const answerTo =
  <A>({ answer, name }: Question<A>) =>
  (given: unknown): E.Either<StorageError, A> =>
    pipe(given, answerOf(answer, name), E.map(frozen));

const onlyRow = <A>(
  database: Database,
  statement: Statement,
  codec: t.Type<A, unknown>,
  name: string,
): TE.TaskEither<Refused, A> =>
  pipe(
    database.ask(statement),
    TE.flatMap(
      ([row]): TE.TaskEither<Refused, A> =>
        row === undefined ? TE.left({ _tag: 'Unauthorized' }) : TE.fromEither(answerOf(codec, name)(row)),
    ),
  );
