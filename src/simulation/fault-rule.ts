import * as t from 'io-ts';
import { described, optional } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count, Identifier, integerFrom, NumberCodec } from '../contract/codecs/text-and-numbers.js';
import { FaultKind, maxDelay } from './effect.js';
import {
  anySimulatedStatus,
  isList,
  operationIds,
  operationWithId,
  simulatedStatuses,
} from './possible-faults.js';

const Probability = new NumberCodec('number from 0 to 1', 'number', Number.isFinite, {
  minimum: 0,
  maximum: 1,
});

const milliseconds = integerFrom(0, maxDelay);

const ruleProps = {
  operation: described(
    optional(t.string),
    'The id of an operation, such as `listFindings`, or the method and the path of a page, such as `POST /login`. Left out: every operation.',
  ),
  tenant: described(
    optional(Identifier),
    'Only requests on behalf of the user with this id. Left out: those of everybody.',
  ),
  query: described(
    optional(t.record(t.string, t.string)),
    'Only requests with these parameters in their query. Left out: with any.',
  ),
  code: described(
    optional(integerFrom(400, 599)),
    'The status to answer with. Operations that have no such status are left alone.',
  ),
  delay: described(optional(milliseconds), 'Milliseconds to wait before the response.'),
  jitter: described(optional(milliseconds), 'Up to so many milliseconds more, at random.'),
  kind: described(optional(FaultKind.codec), FaultKind.description),
  times: described(optional(integerFrom(1)), 'How often the rule applies. Left out: for ever.'),
  after: described(optional(Count), 'How many matching requests are let through first. Left out: none.'),
  probability: described(
    optional(Probability),
    'How likely a matching request is affected. Left out: always. The same `--seed` gives the same run.',
  ),
};

/** A rule as it is posted: which requests it is about, what happens to them, and how often. */
export const NewFaultRule = new StrictObject(ruleProps, 'fault rule');
export type NewFaultRule = t.TypeOf<typeof NewFaultRule>;

/** A rule as it is listed: with its id, and what has become of it. */
export const FaultRule = new StrictObject(
  {
    id: described(t.string, 'Removes the rule: `DELETE /__admin/faults/{id}`.'),
    ...ruleProps,
    matched: described(Count, 'How many requests it was about.'),
    applied: described(Count, 'How many of them it has affected.'),
  },
  'FaultRule',
);
export type FaultRule = t.TypeOf<typeof FaultRule>;

/** The method and the path of a page. Neither the controls nor the checks of health can be made to fail. */
const isPage = (name: string): boolean =>
  /^(?:GET|POST) \/\S*$/.test(name) && !/ \/(?:__admin|api|healthz|readyz)(?:\/|$)/.test(name);

/** What is wrong with a rule that its codec accepts; one line for each problem. */
export const ruleProblems = (rule: NewFaultRule): readonly string[] => [
  ...(rule.code === undefined &&
  rule.delay === undefined &&
  rule.jitter === undefined &&
  rule.kind === undefined
    ? ['a rule needs a code, a delay, a jitter or a kind']
    : []),
  ...(rule.code !== undefined && rule.kind === 'empty'
    ? ['kind "empty" cannot be combined with a code: the list would not be sent']
    : []),
  ...problemsWithTarget(rule),
];

const problemsWithTarget = ({ operation: name, tenant, code, kind }: NewFaultRule): readonly string[] => {
  const operation = name === undefined ? undefined : operationWithId(name);
  if (operation !== undefined) {
    const known = simulatedStatuses(operation);
    return [
      ...(code === undefined || known.includes(code) ? [] : [unknownCode(code, known, operation.id)]),
      ...(kind === 'empty' && !isList(operation)
        ? [`kind "empty" is for lists, and ${operation.id} is none`]
        : []),
    ];
  }
  if (name === undefined) {
    return code === undefined || anySimulatedStatus.includes(code)
      ? []
      : [unknownCode(code, anySimulatedStatus, 'an operation')];
  }
  if (!isPage(name)) {
    return [
      `operation: expected one of ${operationIds.join(', ')}, or the method and the path of a page such as "POST /login", got ${JSON.stringify(name)}`,
    ];
  }
  return [
    ...(kind === undefined || kind === 'hang' ? [] : [`kind "${kind}" is for operations of the API`]),
    ...(tenant === undefined ? [] : ['tenant is for operations of the API']),
    ...(code === undefined || anySimulatedStatus.includes(code)
      ? []
      : [unknownCode(code, anySimulatedStatus, 'a page')]),
  ];
};

/** Says which statuses can be simulated. */
export const unknownCode = (code: number | string, known: readonly number[], what: string): string =>
  `code=${code}: ${what} has ${known.join(', ')}`;
