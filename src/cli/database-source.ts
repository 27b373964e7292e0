import * as E from 'fp-ts/lib/Either.js';
import type { Log } from '../common/log.js';
import { demoTemplate } from '../server/demo-template.js';
import { shippedDemo } from '../server/shipped-demo.js';
import { type Database, openDatabase } from '../storage/postgres/database.js';
import { postgresStorage } from '../storage/postgres/postgres-storage.js';
import { checkSchema, type SchemaCheck } from './check-schema.js';
import type { DataSource } from './data-source.js';
import { databaseBanner } from './database-banner.js';
import { databaseName } from './database-name.js';
import { fixtureProblemLines } from './fixture-problem-lines.js';

type Settings = Readonly<{
  databaseUrl: string;
  readDatabaseUrl: string | undefined;
  databasePool: number;
  databaseTimeout: number;
}>;

/** How often a database that cannot be reached is looked for, in milliseconds. */
const lookEvery = 500;

/**
 * A database as a source. One that cannot be reached yet is waited for, while the server says so to who asks; one whose schema
 * does not fit, or that does not let us in, is refused (`left`, or `failed` if that turns out later).
 */
export const databaseSource = async (
  { databaseUrl, readDatabaseUrl, databasePool, databaseTimeout }: Settings,
  log: Log,
): Promise<E.Either<readonly string[], DataSource>> => {
  const demo = await shippedDemo();
  if (E.isLeft(demo)) return E.left(fixtureProblemLines(demo.left));
  // A request that asks two databases has to be answered in the time of one that asks one.
  const timeLimit = Math.ceil(databaseTimeout / (readDatabaseUrl === undefined ? 1 : 2));
  const open = (url: string, isCopy: boolean) => ({
    name: databaseName(url),
    database: openDatabase({ url, poolSize: databasePool, timeLimit }, log),
    isCopy,
  });
  const primary = open(databaseUrl, false);
  const replica = readDatabaseUrl === undefined ? null : open(readDatabaseUrl, true);
  const databases = replica === null ? [primary] : [primary, replica];

  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.all(databases.map(({ database }) => database.close()));
  };
  const first = await lookAtAll(databases);
  if (first._tag === 'Refused') {
    await close();
    return E.left([first.reason]);
  }
  let refuse = (_lines: readonly string[]): void => {};
  const failed = new Promise<readonly string[]>((resolve) => {
    refuse = resolve;
  });
  const wait = async ({ reason }: SchemaCheck): Promise<void> => {
    log('warn', `waiting for the database: ${reason}`);
    while (!isClosed) {
      await new Promise((resolve) => setTimeout(resolve, lookEvery).unref());
      const looked = await lookAtAll(databases);
      if (isClosed || looked._tag === 'Unreachable') continue;
      if (looked._tag === 'Refused') refuse([looked.reason]);
      else log('info', 'the database answers');
      return;
    }
  };
  return E.right({
    storage: postgresStorage({ primary: primary.database, replica: replica?.database ?? null }, log),
    mode: 'database',
    demo: demoTemplate(demo.right),
    demoAccounts: () => [],
    banner: (baseUrl) => databaseBanner(primary.name, replica?.name ?? null, baseUrl),
    exposure: null,
    begin: () => {
      if (first._tag === 'Unreachable') void wait(first);
    },
    failed,
    close,
  });
};

/** How all databases are: as the first of them that does not fit, if there is one. */
const lookAtAll = async (
  databases: readonly Readonly<{ name: string; database: Database; isCopy: boolean }>[],
): Promise<SchemaCheck> => {
  for (const { name, database, isCopy } of databases) {
    const looked = await checkSchema(name, database, isCopy);
    if (looked._tag !== 'Fits') return looked;
  }
  return { _tag: 'Fits', reason: '' };
};
