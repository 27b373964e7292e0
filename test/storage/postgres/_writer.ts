import type { ExecutionContext } from 'ava';
import { connected, urlWith } from './_postgres.js';

const tables = 'triage.repos, triage.scans, triage.fix_drafts, triage.pull_requests';

/** The URL of a role that writes rows as docs/writing.md says, and may do nothing else. */
export const writerOf = async (t: ExecutionContext, url: string, attributes = ''): Promise<string> => {
  const name = `triage_write_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await connected(url, (client) =>
    client.query(
      `CREATE ROLE ${name} LOGIN PASSWORD 'choose-one' ${attributes};
       GRANT USAGE ON SCHEMA triage TO ${name};
       GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables} TO ${name};
       GRANT EXECUTE ON FUNCTION triage.asked_for TO ${name}`,
    ),
  );
  t.teardown(() =>
    connected(url, async (client) => {
      await client.query(`DROP OWNED BY ${name}`);
      await client.query(`DROP ROLE ${name}`);
    }),
  );
  return urlWith(url, { username: name, password: 'choose-one' });
};
