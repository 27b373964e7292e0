import { connected, prepare, remove, startPostgres } from '../test/storage/postgres/_postgres.js';
import { wrongCounts } from './count-check.js';
import { compareWrites } from './paired-writes.js';
import { timeOfPostgres } from './processor-time.js';
import { startTriageApi } from './server-process.js';
import { mixedCase, writeCases } from './write-cases.js';
import { connectWriters } from './write-load.js';
import { writersOptions } from './writers-options.js';
import { buildTenant } from './writers-tenant.js';

const options = writersOptions();
const { rows, clients, transactions, serving } = options;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const server = await startPostgres();
const prefix = `triage_writers_${process.pid}`;
const names = { counted: `${prefix}_counted`, plain: `${prefix}_plain` };

/** Creates a database with the tenant, and connects those who write to it. */
const open = async (name: string, counts: boolean) => {
  const url = server.url(name);
  await prepare(server, name);
  await connected(url, (client) => buildTenant(client, rows, counts));
  return { url, writers: await connectWriters(url, clients), cases: writeCases(rows) };
};

try {
  print(`building two tenants of ${rows} findings and as many pull requests …`);
  const counted = await open(names.counted, true);
  const plain = await open(names.plain, false);
  const api = serving ? await startTriageApi(['--database-url', counted.url]) : null;
  await connected(counted.url, async (client) => {
    const time = await timeOfPostgres(client);
    for (const line of await compareWrites({ ...options, time }, counted, plain)) print(line);
    for (const [side, { writers }] of Object.entries({ 'with counts': counted, 'without counts': plain })) {
      const { perSecond, deadlocks } = await writers.run(mixedCase(rows), transactions);
      const rate = `${perSecond.toFixed(0)} per second`;
      print(`${transactions} mixed transactions ${side}: ${deadlocks} deadlocks; ${rate}`);
    }
    const wrong = await wrongCounts(counted.url, client);
    print(wrong.length === 0 ? 'the counts are exact' : `the counts are wrong:\n${wrong.join('\n')}`);
    if (wrong.length > 0) process.exitCode = 1;
  });
  await Promise.all([counted.writers.close(), plain.writers.close(), api?.stop()]);
} finally {
  await Promise.all(Object.values(names).map((name) => remove(server, name)));
  await server.stop();
}
