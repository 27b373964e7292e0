import * as t from 'io-ts';
import { parseJson } from '../../common/json.js';
import type { AnyOperation } from '../../contract/operations.js';
import { effectOf, FaultKind, namedBodies } from '../effect.js';
import type { NewFaultRule } from '../fault-rules.js';
import { textOfStatus } from '../simulated-body.js';
import { answersWith } from './field-states.js';
import { type Draft, draftsFor, isOperationId, itemsOf, resourceOf, rowProps, type View } from './state.js';

const typeOf = ({ headers }: View): string => headers['content-type'] ?? '';

/** Whether a body says that it is JSON, and is not. */
const isNoJson = (view: View): boolean =>
  view.status === 200 && view.body === undefined && typeOf(view).includes('json');

/** Whether a text is JSON with one character more. */
const goesOn = ({ text }: View): boolean => parseJson(text.slice(0, -1)) !== undefined;

/** How the kinds of failures that stand for no status are recognized. */
const recognized: Readonly<Record<string, (view: View) => boolean>> = {
  hang: ({ end }) => end === 'gone' || end === 'held',
  drop: ({ end }) => end === 'dropped',
  cut: ({ end }) => end === 'cut',
  truncate: (view) => isNoJson(view) && view.text !== '' && !goesOn(view),
  malformed: (view) => isNoJson(view) && goesOn(view),
};

/** What a kind of failure that stands for a status is recognized by. */
const isAnswer =
  ({ code, instead: { headers = {}, retryAfter } }: ReturnType<typeof effectOf>) =>
  (view: View): boolean =>
    view.status === code &&
    typeOf(view).includes('html') === 'Content-Type' in headers &&
    (retryAfter === undefined || view.headers['retry-after'] === String(retryAfter));

/** The kinds of failures that rules have. */
const kinds = Object.entries(FaultKind.codec.keys).flatMap(([kind, meaning]) => {
  const effect = effectOf({ kind: FaultKind.is(kind) ? kind : undefined });
  const seen = effect.code === null ? recognized[kind] : isAnswer(effect);
  return seen === undefined ? [] : [{ kind, meaning, code: effect.code, seen }];
});

/** Whether a response has a status, and is of no kind that stands for it. */
const hasStatus = (status: number) => (view: View) =>
  view.status === status && !kinds.some(({ code, seen }) => code === status && seen(view));

const isFailure = (view: View | undefined): boolean => Number(view?.status) >= 429;
const isRedirect = ({ status }: View): boolean => Number(status) > 300 && Number(status) < 304;
const isSlow = ({ status, simulated }: View): boolean =>
  status === 200 && /delay=\d{4}/.test(simulated ?? '');
const recovers: Draft['seen'] = ({ status }, before) => status === 200 && isFailure(before);
const failsLater: Draft['seen'] = (view, before) => isFailure(view) && before?.status === 200;

/** Whether a body is an object without these fields, and whether a row has other ones, too. */
const hasNoField =
  (known: readonly string[]) =>
  ({ status, body }: View) =>
    status === 200 && t.UnknownRecord.is(body) && !['items', ...known].some((key) => key in body);
const hasOtherField = (known: readonly string[]) => (view: View) =>
  itemsOf(view).some((row) => {
    const keys = t.UnknownRecord.is(row) ? Object.keys(row) : [];
    return keys.some((key) => known.includes(key)) && keys.some((key) => !known.includes(key));
  });

/** Every way in which an operation can fail, and what may come in place of its body. */
export const failureStates = (operation: AnyOperation): readonly Draft[] => {
  const { id, responses } = operation;
  if (!isOperationId(id)) return [];
  // An error must not look as if there was nothing.
  const notLike = [`${resourceOf(operation).name}.none`];
  const draft = draftsFor(id, { group: 'failures', operations: [id], expects: 'error', notLike });
  const rule = (fields: Partial<NewFaultRule>) => ({ rules: [{ operation: id, ...fields }] });
  const twice = { client: { asks: [{}, {}] } };
  const statuses = [...Object.keys(responses).map(Number), 429].filter((code) => code !== 200);
  const fields = Object.keys(rowProps(operation));
  const [odd, change] = [{ keepsContract: false }, { group: 'changes', expects: 'data-or-error' }] as const;
  const toLogin = { code: 302, headers: { location: '/login' } };
  return [
    ...statuses.map((code) =>
      draft(`${code}`, `\`${id}\` answers ${code}: ${textOfStatus(code)}.`, rule({ code }), hasStatus(code), {
        section: code in responses ? '7' : null,
        ...(code === 401 && { expects: 'sign-in', notLike: [] }),
      }),
    ),
    ...kinds.map(({ kind, meaning, code, seen }) => {
      const isBroken = ['hang', 'drop', 'cut'].includes(kind);
      return draft(
        kind,
        `\`${id}\` answers: ${meaning}.`,
        rule({ kind: FaultKind.is(kind) ? kind : undefined }),
        seen,
        {
          ...{ isBroken, keepsContract: isBroken || code !== null },
          ...(kind === 'hang' && { expects: 'waiting' }),
        },
      );
    }),
    ...Array.from(namedBodies, ([name, { body, headers = {} }]) => {
      const type = headers['Content-Type'] ?? (body === '' ? '' : 'text/plain');
      const seen = (view: View): boolean =>
        view.status === 200 &&
        view.body === undefined &&
        (type === '' ? view.text === '' : typeOf(view).startsWith(type));
      const sentence = `\`${id}\` answers 200 with ${type === '' ? 'no body' : `a body of ${type}`}.`;
      return draft(`200-${name}`, sentence, rule({ code: 200, body, headers }), seen, odd);
    }),
    draft('redirect', `\`${id}\` redirects to a login.`, rule(toLogin), isRedirect, {
      ...odd,
      expects: 'sign-in',
    }),
    draft(
      'wrong-shape',
      `\`${id}\` answers without any of its fields.`,
      rule({ code: 200, body: { data: [] } }),
      hasNoField(fields),
      odd,
    ),
    draft(
      'extra-field',
      `A row of \`${id}\` has a field that the contract lacks.`,
      answersWith([operation], ['zzNew'], 'new'),
      hasOtherField(fields),
      { ...odd, expects: 'data' },
    ),
    draft('slow', `\`${id}\` takes more than a second.`, rule({ delay: 1200 }), isSlow, {
      expects: 'data',
      sameAs: 'ordinary',
    }),
    draft(
      'recovers',
      `\`${id}\` fails once, and then works.`,
      { ...rule({ code: 503, times: 1 }), ...twice },
      recovers,
      change,
    ),
    draft(
      'fails-later',
      `\`${id}\` works once, and then fails.`,
      { ...rule({ code: 503, after: 1 }), ...twice },
      failsLater,
      change,
    ),
  ];
};

/** What the credentials of requests may be. */
export const credentialStates = (operations: readonly AnyOperation[]): readonly Draft[] => {
  const idsOf = (accepts: readonly boolean[]) =>
    operations.flatMap((each) =>
      isOperationId(each.id) && accepts.includes(each.accepts.includes('bearer')) ? [each.id] : [],
    );
  const common = { group: 'credentials', section: '5', expects: 'sign-in' } as const;
  const draft = draftsFor('credentials', { ...common, operations: idsOf([true, false]) });
  const byToken = draftsFor('credentials', { ...common, operations: idsOf([true]) });
  const bySessionAlone = draftsFor('credentials', { ...common, operations: idsOf([false]) });
  const hasEnded = ({ headers }: View): boolean => /ended on/.test(headers['x-triage-warning'] ?? '');
  const refused = (sent: string, ended: boolean) => (view: View) =>
    view.status === 401 &&
    !/\bcode=/.test(view.simulated ?? '') &&
    view.sent === sent &&
    hasEnded(view) === ended;
  const endsLater: Draft['seen'] = ({ status }, before) => status === 401 && before?.status === 200;
  const isByToken = ({ status, sent }: View): boolean => status === 200 && sent === 'bearer';
  const [nobody, token] = [{ client: { signIn: 'none' } }, { client: { signIn: 'token' } }] as const;
  const session = (state: 'expired' | 'revoked') => ({ credentials: { session: state } });
  const expiredToken = { ...token, credentials: { token: 'expired' } } as const;
  const later = { rules: [{ code: 401, after: 1 }], client: { asks: [{}, {}] } };
  return [
    draft('none', 'Nobody is signed in.', nobody, refused('', false)),
    draft('expired', 'The session has expired.', session('expired'), refused('session', true)),
    draft('revoked', 'The session is not known.', session('revoked'), refused('session', false)),
    draft('end', 'The session ends after the first request.', later, endsLater),
    byToken('token', 'A bearer token is sent, and no session.', token, isByToken, { expects: 'data' }),
    byToken('token-expired', 'The bearer token has expired.', expiredToken, refused('bearer', true)),
    bySessionAlone('token-not-read', 'The bearer token is not read.', token, refused('bearer', false)),
  ];
};
