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

type Interface = Readonly<{ codec: Readonly<{ props: t.Props }>; about: string; except?: readonly string[] }>;

/** The interfaces of the file: the fields of a codec each, except some that the builders type themselves. */
const interfaces: Readonly<Record<string, Interface>> = {
  User: { codec: SparseUser, about: 'a user' },
  Session: { codec: SparseSession, about: 'a session' },
  ApiToken: { codec: SparseApiToken, about: 'an API token' },
  Repo: { codec: SparseRepo, about: 'a repository', except: ['findings'] },
  Scan: { codec: SparseScan, about: 'a scan', except: ['repo'] },
  Finding: { codec: SparseFinding, about: 'a finding', except: ['repo', 'pullRequest'] },
  OwnPullRequest: { codec: SparseOwnPullRequest, about: 'a pull request of a finding' },
  PullRequest: {
    codec: SparsePullRequest,
    about: 'a pull request',
    except: Object.keys(SparseOwnPullRequest.props),
  },
};

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
import type { ${Object.keys(interfaces)
  .map((name) => `Sparse${name}`)
  .sort()
  .join(', ')} } from '../../fixtures/fixture-format.js';
`;

/** What `src/data/builders/fields.ts` contains: the fields of the codecs, each with its description. */
export const fieldsFile = (): string =>
  [
    header,
    ...Object.entries(interfaces).flatMap(([name, { codec, about, except = [] }]) => [
      `/** The fields of ${about}. */`,
      `export interface ${name}Fields ${name === 'PullRequest' ? 'extends OwnPullRequestFields ' : ''}{`,
      ...Object.entries<t.Mixed>(codec.props)
        .filter(([field]) => !except.includes(field))
        .flatMap(([field, type]) => [
          comment(descriptionOf(type), '  '),
          `  readonly ${field}${mayBeLeftOut(type) ? '?' : ''}: OutputOf<typeof Sparse${name}>['${field}']${/At$/.test(field) ? ' | Date' : ''};`,
        ]),
      '}',
      '',
    ]),
  ].join('\n');
