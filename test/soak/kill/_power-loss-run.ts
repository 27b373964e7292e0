import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { hashSecret } from '../../../src/accounts/secrets.js';
import { AccountState } from '../../../src/storage/fixtures/account-state.js';
import { findProgram } from '../../_find-program.js';
import { clientOf, jsonOf, statusOf } from '../core/_connection.js';
import { childrenOf } from '../core/_proc.js';
import { randomOf } from '../core/_random.js';
import { type FailureList, failureList, type SoakRun } from '../core/_run.js';
import { startServerProcess, temporaryDirectory } from '../core/_server-process.js';
import { diskModel } from './_disk-model.js';
import { systemCalls, tracedCalls } from './_system-calls.js';
import { serverWords, writtenTenants } from './_written-tenants.js';

/** A change that was acknowledged, whether a state has it, and the number of the change that replaces it. */
export type Change = Readonly<{ what: string; isIn: (state: AccountState) => boolean; until?: () => number }>;

const mintedIn =
  (token: string) =>
  ({ apiTokens }: AccountState): boolean =>
    apiTokens.some(({ hash }) => hash === hashSecret(token));
const revokedIn =
  (token: string) =>
  ({ apiTokens }: AccountState): boolean =>
    // The oldest revoked ones are deleted in the end.
    !apiTokens.some(({ hash, revokedAt }) => hash === hashSecret(token) && revokedAt === null);
const endedIn =
  (session: string) =>
  ({ endedSessions }: AccountState): boolean =>
    endedSessions.includes(hashSecret(session));

const stateIn = (content: Buffer): AccountState | null => {
  try {
    const decoded = AccountState.decode(JSON.parse(content.toString('utf8')));
    return E.isRight(decoded) ? decoded.right : null;
  } catch {
    return null;
  }
};

/**
 * Replays a trace. Whenever an acknowledgement leaves the server, whatever could survive a power loss in that
 * moment has to be a complete state with every change up to this one. Returns the number of acknowledgements.
 */
export const judgeTrace = (
  trace: string,
  directory: string,
  file: string,
  changes: readonly Change[],
  failures: FailureList,
): number => {
  const disk = diskModel(directory);
  let acknowledged = 0;
  for (const call of systemCalls(trace)) {
    disk.apply(call);
    const isAnswer =
      call._tag === 'Write' &&
      !disk.isOfDirectory(call.fd) &&
      /^HTTP\/1\.1 2/.test(call.bytes.toString('latin1', 0, 20));
    if (!isAnswer) continue;
    acknowledged += 1;
    for (const { content, why } of disk.survivors(file)) {
      const state = content === null ? null : stateIn(content);
      if (state === null) {
        failures.add(`a power loss could leave a broken file, or none: ${why}`, `at change ${acknowledged}`);
        break;
      }
      const lost = changes
        .slice(0, acknowledged)
        .find(({ isIn, until }) => (until?.() ?? Number.POSITIVE_INFINITY) > acknowledged && !isIn(state));
      if (lost !== undefined) {
        failures.add(
          `a power loss could lose something acknowledged: ${why}`,
          `${lost.what}, at change ${acknowledged}`,
        );
        break;
      }
    }
  }
  return acknowledged;
};

/** Watches what a server writes and syncs, and works out what a power loss could leave of it. */
export const powerLoss: SoakRun = {
  name: 'power-loss',
  about: 'with --state, replayed from strace: what was not synced is thrown away at each acknowledgement',
  amounts: { times: 200 },
  execute: async ({ life, seed, amount, progress }) => {
    const strace = findProgram([process.env.STRACE ?? '', '/usr/bin/strace', '/usr/local/bin/strace']);
    if (strace === null) return { notRun: 'needs strace' };
    const failures = failureList();
    const base = await temporaryDirectory(life);
    const directory = join(base, 'state');
    await mkdir(directory);
    const trace = join(base, 'trace');
    const { directory: fixtures, ledgers } = await writtenTenants(life, 1, 60);
    const server = await startServerProcess(
      life,
      [
        '--fixtures',
        fixtures,
        '--state',
        join(directory, 'state.json'),
        '--no-watch',
        ...(await serverWords()),
      ],
      {
        under: [
          strace,
          '-f',
          '-qq',
          '-xx',
          '-s',
          '10000000',
          '-o',
          trace,
          '-e',
          `trace=${tracedCalls.join(',')}`,
        ],
      },
    );
    const client = clientOf(() => server.port, 120_000);
    const random = randomOf(seed);
    const session = ledgers[0]?.keeper ?? '';
    const sessions = (ledgers[0]?.entries ?? []).map(({ value }) => value);
    const tokens: { id: string; token: string; until: number }[] = [];
    const changes: Change[] = [];
    const times = amount('times');
    while (changes.length < times) {
      const kind = random.next();
      const old = tokens.length > 0 && (kind < 0.4 || tokens.length > 40) ? tokens.shift() : undefined;
      const other = kind > 0.85 ? sessions.pop() : undefined;
      if (old !== undefined) {
        const reply = await client.ask({
          method: 'POST',
          path: `/settings/api-tokens/${old.id}/revoke`,
          session,
        });
        if (statusOf(reply) !== 204) throw new Error(`revoking answered ${statusOf(reply)}`);
        changes.push({ what: 'a revocation', isIn: revokedIn(old.token) });
        old.until = changes.length;
      } else if (other !== undefined) {
        const reply = await client.ask({ method: 'POST', path: '/logout', session: other });
        if (statusOf(reply) !== 204) throw new Error(`logging out answered ${statusOf(reply)}`);
        changes.push({ what: 'a logout', isIn: endedIn(other) });
      } else {
        const reply = await client.ask({
          method: 'POST',
          path: '/settings/api-tokens',
          session,
          json: { name: 'soak' },
        });
        const { id, token } = Object(jsonOf(reply));
        if (statusOf(reply) !== 201) throw new Error(`minting answered ${statusOf(reply)}`);
        const minted = { id, token, until: Number.POSITIVE_INFINITY };
        tokens.push(minted);
        changes.push({ what: 'a token', isIn: mintedIn(token), until: () => minted.until });
      }
      progress(`${changes.length} of ${times} changes`);
    }
    client.close();
    for (const pid of childrenOf(server.pid)) process.kill(pid, 'SIGKILL');
    await server.ended;
    const acknowledged = judgeTrace(
      await readFile(trace, 'utf8'),
      directory,
      'state.json',
      changes,
      failures,
    );
    if (acknowledged !== changes.length) {
      failures.add(`the trace has ${acknowledged} acknowledgements of ${changes.length} changes`);
    }
    return {
      figures: [`seed ${seed}`, `${changes.length} changes, replayed from the system calls of the server`],
      failures: failures.list(),
    };
  },
};
