import type pg from 'pg';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aUser, dataset } from '../_data.js';
import { fill } from '../storage/postgres/_fill.js';

/** The node numbers of the workers, and for each the id of a tenant that is on it. */
export const idsByNode = async (
  client: pg.Client,
): Promise<readonly Readonly<{ node: number; id: string }>[]> => {
  const { rows } = await client.query(
    `SELECT DISTINCT ON (node) triage.node_of('t' || i) AS node, 't' || i AS id
     FROM generate_series(1, 200) i ORDER BY node, i`,
  );
  return rows;
};

/** Adds a tenant with a row of each kind on each worker. The session of each has the value of its id. */
export const fillWorkers = async (client: pg.Client): Promise<readonly string[]> => {
  const ids = (await idsByNode(client)).map(({ id }) => id);
  await fill(
    client,
    ids.map((id) =>
      dataset({
        user: aUser(id),
        sessions: [{ ...aSession(id), value: id }],
        repos: [aRepo('r')],
        scans: [aScan('s', 'r')],
        fixDrafts: [aDraft('d', 'r')],
        pullRequests: [aPullRequest('p', 'd')],
      }),
    ),
  );
  return ids;
};
