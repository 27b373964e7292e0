import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { hashSecret } from '../../../src/accounts/secrets.js';
import type { AccountState } from '../../../src/storage/fixtures/account-state.js';
import { findProgram } from '../../_find-program.js';
import { clientOf, isLost, jsonOf, statusOf } from '../core/_connection.js';
import { childrenOf } from '../core/_proc.js';
import { randomOf } from '../core/_random.js';
import { headerOf } from '../core/_response-reader.js';
import { type FailureList, failureList, type SoakRun } from '../core/_run.js';
import { startServerProcess, temporaryDirectory } from '../core/_server-process.js';
import { diskModel } from './_disk-model.js';
import { storedState } from './_stored-state.js';
import { systemCalls, tracedCalls } from './_system-calls.js';
import { serverWords, writtenTenants } from './_written-tenants.js';

/** A change that was acknowledged, whether a state has it, and the number of the change that replaces it. */
export type Change = Readonly<{ what: string; isIn: (state: AccountState) => boolean; until?: () => number }>;

const mintedIn =
  (token: string) =>
  ({ apiTokens }: AccountState): boolean =>
    apiTokens.has(hashSecret(token));
const revokedIn =
  (token: string) =>
  ({ apiTokens }: AccountState): boolean =>
    // The oldest revoked ones are deleted in the end.
    apiTokens.get(hashSecret(token))?.revokedAt !== null;
const endedIn =
  (session: string) =>
  ({ endedSessions }: AccountState): boolean =>
    endedSessions.has(hashSecret(session));
const signedUpIn =
  (email: string) =>
  ({ signedUpByEmail }: AccountState): boolean =>
    signedUpByEmail.has(email);

/**
 * Replays a trace. Whenever an acknowledgement leaves the server, whatever could survive a power loss in that
 * moment has to be a state with every change up to this one; and so it has to be after each write to the
 * directory since the first acknowledgement. Returns the number of acknowledgements, and of the states that
 * were judged.
 */
export const judgeTrace = async (
  trace: string,
  directory: string,
  file: string,
  changes: readonly Change[],
  failures: FailureList,
): Promise<Readonly<{ acknowledged: number; judged: number; rewritten: number }>> => {
  const disk = diskModel(directory);
  let [acknowledged, judged, rewritten] = [0, 0, 0];
  const judge = async (): Promise<void> => {
    for (const { content, why } of disk.survivors(file)) {
      judged += 1;
      const state = content === null ? E.left('it is neither old nor new') : await storedState(content);
      const where = `at change ${acknowledged}`;
      if (E.isLeft(state))
        return failures.add(
          `a power loss could leave a broken file, or none: ${why}`,
          `${state.left}, ${where}`,
        );
      const lost = changes
        .slice(0, acknowledged)
        .find(
          ({ isIn, until }) =>
            (until?.() ?? Number.POSITIVE_INFINITY) > acknowledged + 1 && !isIn(state.right),
        );
      if (lost !== undefined)
        return failures.add(
          `a power loss could lose something acknowledged: ${why}`,
          `${lost.what}, ${where}`,
        );
    }
  };
  for (const call of systemCalls(trace)) {
    disk.apply(call);
    const isOfDirectory = call._tag === 'Write' && disk.isOfDirectory(call.fd);
    const isAnswer =
      call._tag === 'Write' && !isOfDirectory && /^HTTP\/1\.1 2/.test(call.bytes.toString('latin1', 0, 20));
    if (isAnswer) acknowledged += 1;
    if (call._tag === 'Rename' && acknowledged > 0) rewritten += 1;
    const mayMatter = isOfDirectory || call._tag === 'Rename' || call._tag === 'Truncate';
    if (isAnswer || (mayMatter && acknowledged > 0)) await judge();
  }
  return { acknowledged, judged, rewritten };
};

const password = 'correct horse battery';

/** Watches what a server writes and syncs, and works out what a power loss could leave of it. */
export const powerLoss: SoakRun = {
  name: 'power-loss',
  about:
    'with --state, replayed from strace: what was not synced is lost, in part or as a whole, at each moment',
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
    let visitor: Readonly<{ email: string; session: string; until: { change: number } }> | null = null;
    while (changes.length < times) {
      const kind = random.next();
      const old = tokens.length > 0 && (kind < 0.4 || tokens.length > 40) ? tokens.shift() : undefined;
      const other = kind > 0.85 ? sessions.pop() : undefined;
      if (visitor === null && changes.length >= times / 3) {
        const email = 'visitor@soak.test';
        const json = { name: 'Visitor', email, password };
        const reply = await client.ask({ method: 'POST', path: '/signup', json });
        const cookie = isLost(reply) ? null : headerOf(reply, 'set-cookie');
        if (statusOf(reply) !== 200) throw new Error(`signing up answered ${statusOf(reply)}`);
        const until = { change: Number.POSITIVE_INFINITY };
        visitor = { email, session: /^session=([^;]+)/.exec(cookie ?? '')?.[1] ?? '', until };
        changes.push({ what: 'a sign-up', isIn: signedUpIn(email), until: () => until.change });
      } else if (visitor !== null && visitor.until.change > times && changes.length >= times / 2) {
        const reply = await client.ask({
          ...{ method: 'POST', path: '/settings/account/delete', session: visitor.session },
          json: { password },
        });
        if (statusOf(reply) !== 204) throw new Error(`deleting an account answered ${statusOf(reply)}`);
        const { email } = visitor;
        // The server now rewrites the file, while further changes are made.
        changes.push({ what: 'a deleted account', isIn: (state) => !signedUpIn(email)(state) });
        visitor.until.change = changes.length;
      } else if (old !== undefined) {
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
    const { acknowledged, judged, rewritten } = await judgeTrace(
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
      figures: [
        `seed ${seed}`,
        `${changes.length} changes, replayed from the system calls of the server`,
        `${judged} states after a power loss judged; the file was rewritten ${rewritten} times meanwhile`,
      ],
      failures: failures.list(),
    };
  },
};
