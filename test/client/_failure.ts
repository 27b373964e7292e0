import { TriageClientError } from '../../src/client/index.js';

/** What a call of the client is rejected with; throws if it resolves, or rejects with anything else. */
export const failureOf = async (call: Promise<unknown>): Promise<TriageClientError> => {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof TriageClientError) return error;
  throw new Error('the call did not reject with a TriageClientError', { cause: error });
};
