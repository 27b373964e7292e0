import type * as t from 'io-ts';
import { Described } from '../../../src/contract/codecs/combinators.js';
import {
  SparseApiToken,
  SparseFinding,
  SparseOwnPullRequest,
  SparsePullRequest,
  SparseRepo,
  SparseScan,
  SparseSession,
  SparseUser,
} from '../../../src/fixtures/fixture-format.js';
import { mayBeLeftOut } from '../../../src/openapi/schema-of.js';

/**
 * The interfaces of the file: each has the fields of a codec, except some that the builders type themselves.
 */
const interfaces = [
  { name: 'UserFields', codec: SparseUser, codecName: 'SparseUser', about: 'a user', except: [] },
  { name: 'SessionFields', codec: SparseSession, codecName: 'SparseSession', about: 'a session', except: [] },
  {
    name: 'ApiTokenFields',
    codec: SparseApiToken,
    codecName: 'SparseApiToken',
    about: 'an API token',
    except: [],
  },
  { name: 'RepoFields', codec: SparseRepo, codecName: 'SparseRepo', about: 'a repository', except: [] },
  { name: 'ScanFields', codec: SparseScan, codecName: 'SparseScan', about: 'a scan', except: ['repo'] },
  {
    name: 'FindingFields',
    codec: SparseFinding,
    codecName: 'SparseFinding',
    about: 'a finding',
    except: ['repo', 'pullRequest'],
  },
  {
    name: 'OwnPullRequestFields',
    codec: SparseOwnPullRequest,
    codecName: 'SparseOwnPullRequest',
    about: 'a pull request of a finding',
    except: [],
  },
  {
    name: 'PullRequestFields extends OwnPullRequestFields',
    codec: SparsePullRequest,
    codecName: 'SparsePullRequest',
    about: 'a pull request',
    except: Object.keys(SparseOwnPullRequest.props),
  },
] satisfies readonly Readonly<{
  name: string;
  codec: Readonly<{ props: t.Props }>;
  codecName: string;
  about: string;
  except: readonly string[];
}>[];

const descriptionOf = (codec: t.Mixed | undefined): string =>
  codec instanceof Described ? codec.description : '';

/** Lines of a comment of at most 110 characters, as the project has them. */
const comment = (text: string, indent: string): string => {
  if (`${indent}/** ${text} */`.length <= 110) return `${indent}/** ${text} */`;
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (`${indent} *${longer}`.length > 110) lines.push(` ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return [`${indent}/**`, ...lines.map((line) => `${indent} *${line}`), `${indent} */`].join('\n');
};

const header = `/** Derived from the codecs of fixture files by \`npm run derive\`, so that editors show what each field is. */
import type { OutputOf } from 'io-ts';
import type { ${interfaces
  .map(({ codecName }) => codecName)
  .sort()
  .join(', ')} } from '../../fixtures/fixture-format.js';
`;

/** What `src/data/builders/fields.ts` contains: the fields of the codecs, each with its description. */
export const fieldsFile = (): string =>
  [
    header,
    ...interfaces.flatMap(({ name, codec, codecName, about, except }) => [
      `/** The fields of ${about}. */`,
      `export interface ${name} {`,
      ...Object.entries<t.Mixed>(codec.props)
        .filter(([field]) => !except.some((each) => each === field))
        .flatMap(([field, type]) => [
          comment(descriptionOf(type), '  '),
          `  readonly ${field}${mayBeLeftOut(type) ? '?' : ''}: OutputOf<typeof ${codecName}>['${field}']${/At$/.test(field) ? ' | Date' : ''};`,
        ]),
      '}',
      '',
    ]),
  ].join('\n');
