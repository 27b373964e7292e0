import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { pointer } from '../../contract/codecs/problem.js';
import { Integer } from '../../contract/codecs/text-and-numbers.js';
import { type FixtureProblem, type FixtureSources, locateFixtures } from '../../fixtures/read-fixtures.js';
import { RecordCounts } from '../../records/dataset.js';

/** A valid file: whose data it has, and how much. */
const CheckedFile = t.strict({ file: t.string, email: t.string, ...RecordCounts.type.props }, 'CheckedFile');
type CheckedFile = t.TypeOf<typeof CheckedFile>;

/** One thing that is wrong. */
const CheckProblem = t.strict(
  {
    /** The file, or the path that leads to none. */
    file: t.string,
    /** Both are counted from 1; null if there is no file. Columns are counted in UTF-16 code units. */
    line: nullable(Integer),
    column: nullable(Integer),
    /** The JSON pointer of the value; empty for the whole file. */
    path: t.string,
    message: t.string,
  },
  'CheckProblem',
);
type CheckProblem = t.TypeOf<typeof CheckProblem>;

/** The report of `check --json`. */
export const CheckReport = t.strict(
  {
    /** Whether there is no problem. */
    valid: t.boolean,
    /** The valid files, in the order in which they were checked. */
    files: listOf(CheckedFile),
    problems: listOf(CheckProblem),
  },
  'CheckReport',
);
export type CheckReport = t.TypeOf<typeof CheckReport>;

/** Checks fixtures. `onFile` is called before each file. */
export const checkReport = async (
  sources: FixtureSources,
  onFile: (file: string, number: number, count: number) => void,
): Promise<CheckReport> => {
  const files: CheckedFile[] = [];
  const problems: CheckProblem[] = [];
  for await (const checked of locateFixtures(sources, onFile)) {
    if (E.isLeft(checked)) problems.push(...checked.left.map(reported));
    else {
      const { file, dataset } = checked.right;
      files.push({
        file,
        email: dataset.user.email,
        repos: dataset.repos.length,
        scans: dataset.scans.length,
        fixDrafts: dataset.fixDrafts.length,
        pullRequests: dataset.pullRequests.length,
        sessions: dataset.sessions.length,
        apiTokens: dataset.apiTokens.length,
      });
    }
  }
  return { valid: problems.length === 0, files, problems };
};

const reported = ({ file, line, column, path, message }: FixtureProblem): CheckProblem => ({
  file,
  line,
  column,
  path: pointer(path),
  message,
});
