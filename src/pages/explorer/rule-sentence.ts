import type { Json } from '../../common/json.js';
import { operations } from '../../contract/operations.js';
import { effectOf, FaultKind } from '../../simulation/effect.js';
import type { FaultRule } from '../../simulation/fault-rules.js';
import { queryString } from '../paths.js';

/** The parts that there are, with a sign between them. */
const join = (sign: string, parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => typeof part === 'string').join(sign);

/** What a rule is about: `listPrs of acme with page=2`. `nameOf`: what a tenant is called by its id. */
const subjectOf = (rule: FaultRule, nameOf: (id: string) => string): string => {
  const { operation = 'Every operation', tenant, finding, query = {}, requestHeaders = {} } = rule;
  const conditions = [
    ...Object.entries(query).map(([name, value]) => `${name}=${value}`),
    ...Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`),
  ];
  return join(' ', [
    operation,
    tenant !== undefined && `of ${nameOf(tenant)}`,
    finding !== undefined && `for ${finding}`,
    conditions.length > 0 && `with ${conditions.join(', ')}`,
  ]);
};

/** What happens: `answers 503`, or `gets half of the body`. */
const effectsOf = (rule: FaultRule): string => {
  const { kind, delay = 0, jitter = 0, bytesPerSecond, alter, headers, then } = rule;
  const { code } = effectOf(rule);
  const isOfKind = kind !== undefined && effectOf({ kind }).code !== null;
  const wait = jitter === 0 ? `${delay}` : `${delay} to ${delay + jitter}`;
  return join(', ', [
    delay + jitter > 0 && `waits ${wait} ms`,
    code !== null && !isOfKind && `answers ${code}`,
    kind !== undefined && `gets ${FaultKind.codec.keys[kind].replaceAll('`', '')}`,
    bytesPerSecond !== undefined && `sends ${bytesPerSecond} bytes a second`,
    alter !== undefined && 'changes the body',
    code === null && headers !== undefined && 'sends other headers',
    then !== undefined && 'changes the data afterwards',
  ]);
};

/** How often it does: `the next 3 of 3`. */
const frequencyOf = ({ times, applied, after = 0, matched, every, probability }: FaultRule): string => {
  const left = times === undefined ? Infinity : times - applied;
  return join(', ', [
    matched < after && `after ${after - matched} more`,
    every !== undefined && `every ${every} requests`,
    probability !== undefined && `with a probability of ${probability}`,
    left === Infinity ? 'always' : left <= 0 ? 'which is over' : `the next ${left} of ${times}`,
  ]);
};

/** A rule as a sentence: `listPrs of acme answers 503, the next 3 of 3`. */
export const ruleSentence = (rule: FaultRule, nameOf: (id: string) => string): string =>
  `${subjectOf(rule, nameOf)} ${effectsOf(rule)}, ${frequencyOf(rule)}`;

/** A path by which a request can be sent that the rule is about; null: none is known. */
export const requestOf = ({
  operation = 'listConnectedRepos',
  finding,
  query = {},
}: FaultRule): string | null => {
  const path = operation.startsWith('GET ')
    ? operation.slice(4)
    : Object.values(operations)
        .find(({ id }) => id === operation)
        ?.path.replace('{id}', finding ?? ':');
  return path === undefined || path.includes(':') ? null : `${path}${queryString(query)}`;
};

const linesOf = (fields: Readonly<Record<string, string | null>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${value ?? ''}`)
    .join('\n');

/** A value as the forms take it: JSON, or a text that is none. */
const jsonText = (value: Json): string =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value);

/** What the fields of the form say for a rule. */
export const textsOfRule = (rule: Partial<FaultRule>): ReadonlyMap<string, string> => {
  const { finding, query, requestHeaders, headers, body, alter, then, ...plain } = rule;
  const texts = Object.entries({
    ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, value && String(value)])),
    id: finding,
    query: query && new URLSearchParams(query).toString(),
    requestHeaders: requestHeaders && linesOf(requestHeaders),
    headers: headers && linesOf(headers),
    body: body === undefined ? undefined : jsonText(body),
    alter: alter === undefined ? undefined : jsonText(alter),
    then: then && JSON.stringify(then.patch),
  });
  return new Map(texts.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])));
};
