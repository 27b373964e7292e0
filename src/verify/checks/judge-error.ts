import { isJsonEqual } from '../../common/canonical-json.js';
import type { FixedErrorCodec } from '../../contract/error-bodies.js';
import type { Exchange } from '../reading.js';
import { type Case, violation } from '../verdict.js';

/** That an answer has this status and, to the letter, this body (contract, section 7). */
export const judgeError = <M extends string>(
  { ask, answer, body }: Exchange,
  status: number,
  { type }: FixedErrorCodec<M>,
): readonly Case[] => {
  const expected = { error: type.props.error.value };
  return [
    answer.status === status ? null : violation(ask, [], `status ${status}`, answer.status),
    isJsonEqual(body, expected) ? null : violation(ask, [], JSON.stringify(expected), body ?? answer.text),
  ];
};

/** That an answer is 200. */
export const judgeOk = ({ ask, answer }: Exchange): Case =>
  answer.status === 200 ? null : violation(ask, [], 'status 200', answer.status);
