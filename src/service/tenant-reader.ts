import * as E from '#fp-ts/Either';
import type { Clock } from '../common/clock.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { CredentialKind } from '../contract/operations.js';
import { hashCredentials, readCredentials } from '../protocol/credentials.js';
import type { ApiRequest } from '../protocol/request.js';
import type { Storage } from '../storage/port.js';

/** On whose behalf a request acts, which is noted for the journal; null: nobody's. */
export const tenantReader =
  ({ storage, clock }: Readonly<{ storage: Pick<Storage, 'caller'>; clock: Clock }>) =>
  async ({ headers, notes }: ApiRequest, accepts: readonly CredentialKind[]): Promise<string | null> => {
    const hashed = hashCredentials(readCredentials(headers, accepts), timestampAt(clock()));
    const caller = E.isLeft(hashed) ? hashed : await storage.caller(hashed.right);
    if (E.isLeft(caller)) return null;
    notes.tenantId = caller.right.userId;
    return notes.tenantId;
  };
