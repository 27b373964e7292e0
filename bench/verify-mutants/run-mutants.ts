import { describeMutation } from '../mutation/describe-mutation.js';
import { type Judgement, judgeServer } from './judge-server.js';
import type { Mutant } from './mutants.js';
import { sandboxedServer } from './sandboxed-server.js';

/** A mutant and what `verify` says about it. `Broken`: it throws when it starts, so nothing can be verified. */
export type Result = Readonly<{ mutant: Mutant; judgement: Judgement | Readonly<{ _tag: 'Broken' }> }>;

/** Verifies one mutant. */
export const runMutant = async (mutant: Mutant): Promise<Result> => {
  const send = sandboxedServer(mutant.text);
  return { mutant, judgement: send === null ? { _tag: 'Broken' } : await judgeServer(send) };
};

/** Where the defect of a mutant is, and what it is. */
export const describeMutant = ({ within, line, mutation }: Mutant): string =>
  `${within}, line ${line ?? '?'}: ${describeMutation(mutation)}`;
