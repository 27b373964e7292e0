import { operations } from '../contract/operations.js';

/** The file in which the requests that are printed keep their cookie. */
const jar = 'triage.cookies';

/**
 * What `serve` prints over a database before it listens. It knows no credentials, since the database holds hashes of them:
 * whoever pastes the first line has some.
 */
export const databaseBanner = (
  primary: string,
  replica: string | null,
  baseUrl: string,
): readonly string[] => {
  const { listConnectedRepos, listFindings, getFinding, listPrs } = operations;
  const get = (path: string): string => `  curl -b ${jar} '${baseUrl}${path}'`;
  return [
    `triage-api: data from the database ${primary}${replica === null ? '' : `, read from ${replica}`}`,
    '',
    '  sign up, which gives demo rows and a session, or log in (at /login, without the name):',
    `  curl -c ${jar} -d 'name=You&email=you@example.com' --data-urlencode 'password=choose-a-long-one' '${baseUrl}/signup'`,
    '',
    get(listConnectedRepos.path),
    get(`${listFindings.path}?page=1&limit=5`),
    get(getFinding.path.replace('{id}', 'ID-OF-A-FINDING')),
    get(`${listPrs.path}?status=open`),
    '',
  ];
};
