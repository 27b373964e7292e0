import { type Connection, connectTo, isLost, type Reply } from '../core/_connection.js';
import { type Random, randomOf } from '../core/_random.js';
import { type FailureList, pause } from '../core/_run.js';
import type { documentedBodies } from './_documented.js';
import { brokenBytes, calmRequest, type HostileRequest, randomRequest } from './_requests.js';

/** What has been sent, and how it was answered. */
export type Tally = { sent: number; answered: number; cutOff: number; statuses: Map<number, number> };

type World = Readonly<{
  port: number;
  seed: number;
  failures: FailureList;
  tally: Tally;
  documented: ReturnType<typeof documentedBodies>;
}>;

/** How long a server may leave a request without an answer, on a busy machine, in milliseconds. */
const patience = 120_000;

/** After broken HTTP no answer is owed: it is waited for only so long, in milliseconds. */
const patienceAfterBroken = 2000;

/** The same after requests that a server may refuse by hanging up, or not read to the end. */
const patienceAfterRisk = 5000;

const batchSize = (random: Random): number => random.pick([1, 1, 2, 5, 10, 25, 50]);

const shown = (bytes: string): string =>
  JSON.stringify(bytes.length > 2000 ? `${bytes.slice(0, 2000)}…` : bytes);

/**
 * Nothing may be sent after `Connection: close` (RFC 9112, section 9.6): a server that closes a connection
 * with unread bytes resets it, and the end of its last answer may be lost.
 */
const untilClose = (requests: readonly HostileRequest[]): readonly HostileRequest[] => {
  const last = requests.findIndex(({ bytes }) => /\r\nconnection: *close\r\n/i.test(bytes));
  return last === -1 ? requests : requests.slice(0, last + 1);
};

/** A lane that sends one scenario after the other; most share one connection. */
export const hostileLane = (world: World) => {
  const { port, seed, failures, tally, documented } = world;
  let kept: Connection | null = null;

  const judge = (part: number, { method, path, bytes }: HostileRequest, reply: Reply): void => {
    if (isLost(reply)) {
      tally.cutOff += 1;
      return;
    }
    tally.answered += 1;
    tally.statuses.set(reply.status, (tally.statuses.get(reply.status) ?? 0) + 1);
    const problem = documented(method, path, reply);
    if (problem === null) return;
    const answer = shown(`${reply.head}\r\n\r\n${reply.body.toString('utf8', 0, 600)}`);
    failures.add(problem, `--seed ${seed} --from ${part}: ${shown(bytes)} was answered ${answer}`);
  };

  const sendAll = (
    connection: Connection,
    requests: readonly HostileRequest[],
  ): Promise<readonly Reply[]> => {
    tally.sent += requests.length;
    return Promise.all(requests.map(({ bytes, method }) => connection.send(bytes, method)));
  };

  const judgeAll = (part: number, requests: readonly HostileRequest[], replies: readonly Reply[]): void => {
    for (const [index, request] of requests.entries()) {
      const reply = replies[index];
      if (reply !== undefined) judge(part, request, reply);
    }
  };

  /** Many requests at once over a connection that is kept. Every one of them has to be answered. */
  const calm = async (random: Random, part: number): Promise<void> => {
    const requests = Array.from({ length: batchSize(random) }, () => calmRequest(random));
    if (kept === null || !kept.isOpen()) kept = connectTo(port, patience);
    const replies = await sendAll(kept, requests);
    judgeAll(part, requests, replies);
    const last = replies.at(-1);
    if (last === undefined || !isLost(last)) return;
    kept.close();
    kept = null;
    const bytes = requests.map((request) => request.bytes).join('');
    failures.add(
      'a sound request without an answer',
      `--seed ${seed} --from ${part}: ${last.lost}; ${shown(bytes)}`,
    );
  };

  /** Many requests at once, after some of which the server may hang up; what it does answer must be sound. */
  const risky = async (random: Random, part: number): Promise<void> => {
    const connection = connectTo(port, patienceAfterRisk);
    const requests = untilClose(Array.from({ length: batchSize(random) }, () => randomRequest(random)));
    const replies = await sendAll(connection, requests);
    judgeAll(part, requests, replies);
    connection.close();
    const garbled = replies.find(
      (reply) => isLost(reply) && /status line|framing|chunk|end/.test(reply.lost),
    );
    if (garbled === undefined || !isLost(garbled)) return;
    const bytes = requests.map((request) => request.bytes).join('');
    failures.add('a garbled answer', `--seed ${seed} --from ${part}: ${garbled.lost}; ${shown(bytes)}`);
  };

  /** Sound requests before something that is not HTTP: they are answered, and then the server may hang up. */
  const broken = async (random: Random, part: number): Promise<void> => {
    const connection = connectTo(port, patienceAfterBroken);
    const requests = Array.from({ length: random.below(3) }, () => randomRequest(random));
    const bytes = brokenBytes(random);
    const replies = sendAll(connection, requests);
    tally.sent += 1;
    const last = connection.send(bytes, 'BROKEN');
    if (random.chance(0.3)) connection.halfClose();
    judgeAll(part, requests, await replies);
    judge(part, { bytes, method: 'BROKEN', path: null, mayClose: true }, await last);
    connection.close();
  };

  /** Closes the sending half at once; whatever was sent may still be answered. */
  const halfClosed = async (random: Random, part: number): Promise<void> => {
    const connection = connectTo(port, patienceAfterBroken);
    const requests = Array.from({ length: random.between(1, 5) }, () => randomRequest(random));
    const replies = sendAll(connection, requests);
    connection.halfClose();
    judgeAll(part, requests, await replies);
    connection.close();
  };

  /** Hangs up before the answers, or within a request. */
  const leaves = async (random: Random): Promise<void> => {
    const connection = connectTo(port, patienceAfterBroken);
    const requests = Array.from({ length: random.between(1, 20) }, () => randomRequest(random));
    tally.sent += requests.length;
    tally.cutOff += requests.length;
    const bytes = requests.map((request) => request.bytes).join('');
    connection.write(random.chance(0.5) ? bytes : bytes.slice(0, random.below(bytes.length)));
    await pause(random.below(5));
    connection.close();
    await connection.closed;
  };

  /** Sends a request in pieces. */
  const slow = async (random: Random, part: number): Promise<void> => {
    const connection = connectTo(port, patience);
    const request = randomRequest(random);
    const pieces = random.between(2, 6);
    const size = Math.ceil(request.bytes.length / pieces);
    for (let piece = 0; piece < pieces - 1; piece += 1) {
      connection.write(request.bytes.slice(piece * size, (piece + 1) * size));
      await pause(random.below(40));
    }
    tally.sent += 1;
    judge(part, request, await connection.send(request.bytes.slice((pieces - 1) * size), request.method));
    connection.close();
  };

  return {
    /** Runs the scenario with this number. */
    scenario: (part: number): Promise<void> => {
      const random = randomOf(seed, part);
      const kind = random.next();
      if (kind < 0.5) return calm(random, part);
      if (kind < 0.9) return risky(random, part);
      if (kind < 0.94) return broken(random, part);
      if (kind < 0.96) return halfClosed(random, part);
      if (kind < 0.985) return leaves(random);
      return slow(random, part);
    },
    close: (): void => kept?.close(),
  };
};
