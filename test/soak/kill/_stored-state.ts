import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AccountState } from '../../../src/storage/fixtures/account-state.js';
import { loadState } from '../../../src/storage/fixtures/load-state.js';

/** The state that a server reads from a state file with this content. `left`: why it refuses the file. */
export const storedState = async (content: string | Buffer): Promise<E.Either<string, AccountState>> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-state-'));
  try {
    const file = join(directory, 'state.json');
    await writeFile(file, content);
    const loaded = await loadState(file);
    return E.isRight(loaded) ? E.right(loaded.right.changing.state) : E.left(loaded.left.join('; '));
  } finally {
    await rm(directory, { recursive: true });
  }
};

/** Why a server cannot start with a state file of this content; null if it can. */
export const problemOfState = async (content: string | Buffer): Promise<string | null> => {
  const state = await storedState(content);
  return E.isRight(state) ? null : `the state file is broken: ${state.left}`;
};
