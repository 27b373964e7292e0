import { join } from 'node:path';
import { type Client, clientOf } from '../core/_connection.js';
import type { Life } from '../core/_life.js';
import { type Random, randomOf } from '../core/_random.js';
import { inLanes } from '../core/_run.js';
import { supported, temporaryDirectory } from '../core/_server-process.js';
import { emailOf, sessionsOf, writeFixture } from '../core/_tenants.js';
import { type Ledger, ledgerOf } from './_writer.js';

/** Fixtures of tenants that are written to. */
export type Written = Readonly<{ directory: string; ledgers: readonly Ledger[] }>;

/** Writes fixtures of so many tenants, each with sessions that can be ended. */
export const writtenTenants = async (life: Life, count: number, sessions = 30): Promise<Written> => {
  const directory = join(await temporaryDirectory(life), 'tenants');
  const names = Array.from({ length: count }, (_, i) => `tenant${i}`);
  for (const name of names) await writeFixture(directory, name, 1, { sessions, tokens: 0 });
  const ledgers = names.map((name) => {
    const [keeper = '', ...others] = sessionsOf(name, sessions);
    return ledgerOf(name, emailOf(name), keeper, others);
  });
  return { directory, ledgers };
};

/** Options of a server whose accounts are written to from one address. */
export const serverWords = async (): Promise<readonly string[]> => [
  ...['--log-level', 'warn', '--login-limit', '1000000', '--login-address-limit', '1000000'],
  ...(await supported(['--mutable-demo'])),
];

/** Changes all ledgers at the same time until `isOver`. */
export const writeUntil = (
  isOver: () => boolean,
  { ledgers }: Written,
  portOf: () => number,
  randomFor: (index: number) => Random,
): Promise<void> =>
  inLanes(ledgers.length, async (index) => {
    const client = clientOf(portOf, 30_000);
    const random = randomFor(index);
    while (!isOver()) await ledgers[index]?.change(client, random);
    client.close();
  });

/** What is not as it was acknowledged. */
export const checkAll = async (
  { ledgers }: Written,
  port: number,
  seed: number,
  newest?: number,
): Promise<readonly string[]> => {
  const client: Client = clientOf(() => port, 60_000);
  const wrong: string[] = [];
  for (const [index, ledger] of ledgers.entries()) {
    wrong.push(...(await ledger.check(client, randomOf(seed, index), newest)));
  }
  client.close();
  return wrong;
};

export const acknowledgedBy = ({ ledgers }: Written): number =>
  ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0);
