import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { aTenantOf, connected } from '../test/postgres/_postgres.js';
import { runLoad } from './load.js';
import { vacuum, withServingRole } from './postgres.js';
import { serveWords } from './processes.js';
import type { Context, Report } from './report.js';

const tenant = { id: 'tenant', rows: 50_000 };
const rewrites = 4;
/** How many rounds of autovacuum may pass until reads are as fast as before. */
const rounds = 3;
const headers = { cookie: `session=${tenant.id}` };

const rewrite = `UPDATE triage.fix_drafts SET updated_at = now(),
  status = CASE status WHEN 'pending' THEN 'drafting' ELSE 'pending' END WHERE user_id = $1`;

/** How often autovacuum has been through the findings, and how many dead rows it has left. */
const vacuumed = async (client: pg.Client) => {
  const { rows } = await client.query(
    `SELECT autovacuum_count::integer AS rounds, n_dead_tup::integer AS dead FROM pg_stat_user_tables
     WHERE relid = 'triage.fix_drafts'::regclass`,
  );
  return { rounds: Number(rows[0].rounds), dead: Number(rows[0].dead) };
};

/**
 * What a first page of findings takes after all findings were updated under a transaction that stays open,
 * and after its end, when nobody but autovacuum does anything about it.
 */
export const heldSnapshot = (context: Context): Promise<Report> =>
  withServingRole('held', async (client, url, served) => {
    const { seconds, print } = context;
    try {
      await client.query("ALTER SYSTEM SET autovacuum_naptime = '1s'");
      await client.query('SELECT pg_reload_conf()');
      await aTenantOf(client, tenant.id, tenant.rows);
      await vacuum(client);
      const path = '/api/v1/findings';
      const words = serveWords(['--database-url', served]);
      const { url: address } = await context.start('triage-api', { words, path, headers });
      const load = { url: address, paths: [path], headers: [headers], connections: 1, seconds };
      const latency = async (): Promise<number> => {
        const { p50, failures } = await runLoad(context, load);
        if (failures > 0) throw new Error(`${failures} requests failed`);
        return p50;
      };
      await latency();
      const before = await latency();
      print(`first page before: ${before.toFixed(1)} ms`);
      const held = await connected(url, async (holder) => {
        await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
        await holder.query('SELECT FROM triage.users');
        let last = before;
        for (let n = 1; n <= rewrites; n += 1) {
          await client.query(rewrite, [tenant.id]);
          last = await latency();
          print(`after ${n} rewrites beside an open transaction: ${last.toFixed(1)} ms`);
        }
        return last;
      });
      const { rounds: began } = await vacuumed(client);
      let now = await vacuumed(client);
      while (now.rounds < began + rounds && (now.rounds === began || now.dead > 5000)) {
        await sleep(100);
        now = await vacuumed(client);
      }
      const after = await latency();
      print(`after ${now.rounds - began} rounds of autovacuum: ${after.toFixed(1)} ms`);
      const measure = `first page of ${tenant.rows.toLocaleString('en')} findings`;
      return {
        results: [
          {
            measure: `${measure}, rewritten ${rewrites} times beside an open transaction`,
            comparedWith: 'before',
            value: held / before,
            atMost: 10,
          },
          {
            measure: `${measure}, at most ${rounds} rounds of autovacuum after its end`,
            comparedWith: 'before',
            value: after / before,
            atMost: 1.5,
          },
        ],
      };
    } finally {
      await client.query('ALTER SYSTEM RESET autovacuum_naptime');
    }
  });
