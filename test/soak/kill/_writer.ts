import { type Client, isLost, jsonOf, statusOf } from '../core/_connection.js';
import type { Random } from '../core/_random.js';
import { headerOf } from '../core/_response-reader.js';
import { passwordOf } from '../core/_tenants.js';

/** A credential, and what was last acknowledged about it; null while that is unknown. */
type Acknowledged = { kind: 'session' | 'token'; value: string; id: string; isLive: boolean | null };

/** A tenant whose accounts are written to, and everything that was acknowledged. */
export type Ledger = Readonly<{
  tenant: string;
  email: string;
  /** The session that the others are managed with. It is never ended. */
  keeper: string;
  entries: Acknowledged[];
  acknowledged: () => number;
  /** Sends one random change, and notes its acknowledgement. */
  change: (client: Client, random: Random) => Promise<void>;
  /** What is not as it was acknowledged: the newest entries and some of the older ones. */
  check: (client: Client, random: Random, newest?: number) => Promise<readonly string[]>;
}>;

/** A ledger of a tenant with these sessions in its fixture, besides the keeper. */
export const ledgerOf = (
  tenant: string,
  email: string,
  keeper: string,
  sessions: readonly string[],
): Ledger => {
  const entries: Acknowledged[] = sessions.map((value) => ({ kind: 'session', value, id: '', isLive: true }));
  let acknowledged = 0;
  const live = (kind: Acknowledged['kind']) =>
    entries.filter((each) => each.kind === kind && each.isLive === true);

  const end = async (entry: Acknowledged, send: () => ReturnType<Client['ask']>): Promise<void> => {
    entry.isLive = null;
    const status = statusOf(await send());
    if (status !== 204) return;
    entry.isLive = false;
    acknowledged += 1;
  };

  const mint = async (client: Client): Promise<void> => {
    const path = '/settings/api-tokens';
    const reply = await client.ask({ method: 'POST', path, session: keeper, json: { name: 'soak' } });
    const { id, token } = Object(jsonOf(reply));
    if (statusOf(reply) !== 201 || typeof id !== 'string' || typeof token !== 'string') return;
    entries.push({ kind: 'token', value: token, id, isLive: true });
    acknowledged += 1;
  };

  const logIn = async (client: Client): Promise<void> => {
    const reply = await client.ask({
      method: 'POST',
      path: '/login',
      json: { email, password: passwordOf(tenant) },
    });
    const value = isLost(reply)
      ? undefined
      : /^session=([^;]+)/.exec(headerOf(reply, 'set-cookie') ?? '')?.[1];
    if (statusOf(reply) !== 200 || value === undefined) return;
    entries.push({ kind: 'session', value, id: '', isLive: true });
    acknowledged += 1;
  };

  const change: Ledger['change'] = async (client, random) => {
    const token = random.oneOf(live('token'));
    const session = random.oneOf(live('session'));
    const kind = random.next();
    if (kind < 0.02) return logIn(client);
    if (kind < 0.12 && session !== undefined) {
      return end(session, () => client.ask({ method: 'POST', path: '/logout', session: session.value }));
    }
    // A tenant may have fifty valid tokens.
    if (token === undefined || (kind < 0.56 && live('token').length < 40)) return mint(client);
    const path = `/settings/api-tokens/${token.id}/revoke`;
    return end(token, () => client.ask({ method: 'POST', path, session: keeper }));
  };

  const check: Ledger['check'] = async (client, random, newest = 20) => {
    const wrong: string[] = [];
    const known = entries.filter(({ isLive }) => isLive !== null);
    const older = Array.from({ length: Math.min(20, known.length) }, () => random.oneOf(known));
    for (const entry of new Set([...known.slice(-newest), ...older])) {
      if (entry === undefined) continue;
      const { kind, value, isLive } = entry;
      const reply = await client.ask({ path: '/api/v1/prs?limit=1', [kind]: value });
      const expected = isLive ? 200 : 401;
      if (statusOf(reply) !== expected) {
        const lost = isLost(reply) ? `: ${reply.lost}` : '';
        wrong.push(
          `a ${kind} of ${tenant} that was acknowledged as ${isLive ? 'live' : 'ended'} got ${statusOf(reply)}${lost}`,
        );
      }
    }
    return wrong;
  };
  return { tenant, email, keeper, entries, acknowledged: () => acknowledged, change, check };
};
