import type pg from 'pg';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aUser, dataset } from '../_data.js';
import { fill } from '../storage/postgres/_postgres.js';

/** For each worker, in order, the id of a tenant that is on it. */
const idsByWorker = async (client: pg.Client): Promise<readonly string[]> => {
  const { rows } = await client.query(
    `SELECT DISTINCT ON (p.groupid) t.id
     FROM (SELECT 't' || i AS id FROM generate_series(1, 200) i) t
     JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('triage.repos', t.id)
     ORDER BY p.groupid, t.id`,
  );
  return rows.map(({ id }) => String(id));
};

/** Adds a tenant with a row of each kind on each worker. The session of each has the value of its id. */
export const fillWorkers = async (client: pg.Client): Promise<readonly string[]> => {
  const ids = await idsByWorker(client);
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
