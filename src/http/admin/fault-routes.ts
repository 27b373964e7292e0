import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { listOf } from '../../contract/codecs/combinators.js';
import { FaultRule, NewFaultRule } from '../../simulation/fault-rule.js';
import type { FaultRules } from '../../simulation/fault-rules.js';
import type { ControlFailure } from '../operations/failures.js';
import { type AdminRoute, adminRoute } from './admin-route.js';

const tag = 'Faults';

/** The controls of the rules by which requests fail. */
export const faultRoutes = (faults: FaultRules): readonly AdminRoute[] => [
  adminRoute({
    id: 'addFault',
    method: 'POST',
    path: '/faults',
    tag,
    summary: 'Add a rule by which requests fail.',
    description:
      'Which requests, what happens to them, and how often. Of several rules, the one that was added last decides; delays add up.',
    query: null,
    body: NewFaultRule,
    success: { status: 201, description: 'The rule, with its id.', codec: FaultRule },
    handle: ({ body }) =>
      pipe(
        faults.add(body),
        E.mapLeft((problems): ControlFailure => ({ _tag: 'ControlInvalid', problems })),
      ),
  }),
  adminRoute({
    id: 'listFaults',
    method: 'GET',
    path: '/faults',
    tag,
    summary: 'List the rules, those of the command line included.',
    query: null,
    body: null,
    success: { status: 200, description: 'The rules, the oldest first.', codec: listOf(FaultRule) },
    handle: () => E.right(faults.list()),
  }),
  adminRoute({
    id: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    tag,
    summary: 'Remove all rules.',
    query: null,
    body: null,
    success: { status: 204, description: 'There are no rules any more.', codec: null },
    handle: () => {
      faults.clear();
      return E.right(undefined);
    },
  }),
  adminRoute({
    id: 'removeFault',
    method: 'DELETE',
    path: '/faults/{id}',
    tag,
    summary: 'Remove a rule.',
    query: null,
    body: null,
    success: { status: 204, description: 'The rule is gone.', codec: null },
    handle: ({ params: { id = '' } }) =>
      faults.remove(id) ? E.right(undefined) : E.left({ _tag: 'ControlMissing', what: `rule ${id}` }),
  }),
];
