import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { StorageError } from '../../src/api/storage-port.js';
import { mismatch } from '../../src/contract/codecs/problem.js';
import { headerDocs } from '../../src/contract/response-docs.js';
import { readFixtures, shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { acme, nobody, other } from '../../src/storage-kit/conformance/sample-tenants.js';
import { type Answer, bearer, cookie, serve } from '../_server.js';
import { aStorage } from '../_storage.js';

const failing =
  (error: StorageError) =>
  (good: Storage): Storage => {
    const fail = async () => E.left(error);
    return { ...good, repos: fail, findings: fail, finding: fail, prs: fail };
  };

/** A storage that knows who asks, and then cannot be reached. */
const unreachable = failing({ _tag: 'StorageUnavailable', cause: new Error('connect ECONNREFUSED') });

/** A storage that knows who asks, and then finds what no codec takes. */
const corrupt = failing({
  _tag: 'RecordBroken',
  where: 'row 7',
  problems: [mismatch(['id'], 'text', '7')],
});

/** A part of a document, parsed from its text as any tool would do it. */
type Read = Readonly<Record<string, unknown>>;

const at = (value: unknown, ...path: readonly string[]): Read =>
  path.reduce((inside, key) => Object(inside[key]), Object(value));

/** Judges answers by an OpenAPI document alone: what of them it does not say. */
const judgeBy = (text: string) => {
  const document: unknown = JSON.parse(text);
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  formats.default(ajv);
  for (const word of ['x-triage-decision', 'x-faker', 'components']) ajv.addKeyword(word);
  // Only what the references lead to is read as a schema.
  ajv.addSchema({ components: at(document, 'components') }, 'document', false, false);

  const problemsOf = (what: string, schema: unknown, value: unknown): readonly string[] => {
    const validate = ajv.compile(rebased(schema));
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
  };

  /** The place in the document that speaks of answers of a status to a request. */
  const responseTo = (method: string, path: string, status: number): Read | null => {
    const template = Object.keys(at(document, 'paths')).find((each) =>
      new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    const isOperation = template !== undefined && ['GET', 'HEAD'].includes(method);
    const responses = isOperation
      ? at(document, 'paths', template, 'get', 'responses')
      : at(document, 'x-triage-other-answers');
    return responses[status] === undefined ? null : at(responses, String(status));
  };

  return (
    method: string,
    target: string,
    { status, headers, body, text: sent }: Answer,
  ): readonly string[] => {
    const response = responseTo(method, new URL(target, 'http://any').pathname, status);
    if (response === null) return [`${status} is not in the document`];
    const named = Object.entries(at(response, 'headers'));
    const media = at(response, 'content', 'application/json');
    const isEmpty = response.content === undefined;
    return [
      ...named.flatMap(([name, header]) => headerProblems(name, at(header), headers, problemsOf)),
      ...Object.keys(headerDocs)
        .filter((name) => headers.has(name) && !named.some(([each]) => each === name))
        .map((name) => `header ${name} is not in the document`),
      ...(isEmpty || headers.get('content-type') === 'application/json; charset=utf-8'
        ? []
        : ['the content type is another']),
      ...(isEmpty ? (sent === '' ? [] : ['there is a body']) : problemsOf('body', media.schema, body)),
    ];
  };
};

const headerProblems = (
  name: string,
  { required, schema }: Read,
  headers: Headers,
  problemsOf: (what: string, schema: unknown, value: unknown) => readonly string[],
): readonly string[] => {
  const value = headers.get(name);
  if (value === null) return required === true ? [`header ${name} is missing`] : [];
  return problemsOf(`header ${name}`, schema, at(schema).type === 'integer' ? Number(value) : value);
};

/** A schema whose references lead into the document from outside of it. */
const rebased = (schema: unknown): Read =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? `document${value}` : value,
  );

const examples = readExamples();

/**
 * What the server answers is what the document says: by status, headers and body, nothing less and nothing
 * more.
 */
const judge = judgeBy(JSON.stringify(openApiDocument(examples)));

const session = cookie('acme-cookie');
const token = bearer('acme-token');
const good = aStorage([acme, other, nobody]);
const usual = { storage: good };

const table: readonly (readonly [
  target: string,
  init: RequestInit,
  status: number,
  over?: Readonly<{ strict?: boolean; storage?: typeof good }>,
])[] = [
  ['/api/v1/repos', session, 200],
  ['/api/v1/repos', cookie('nobody-cookie'), 200],
  ['/api/v1/repos?page=2', session, 200],
  ['/api/v1/findings', session, 200],
  ['/api/v1/findings', cookie('nobody-cookie'), 200],
  ['/api/v1/findings?limit=2&page=2&severity=low', session, 200],
  ['/api/v1/findings?limit=1000&status=resolved&repoId=web', session, 200],
  ['/api/v1/findings?page=9007199254740991', session, 200],
  ['/api/v1/findings/d4', session, 200],
  ['/api/v1/findings/a%2Fb%20c%25d', token, 200],
  ['/api/v1/prs', token, 200],
  ['/api/v1/prs?status=open', token, 200],
  ['/api/v1/prs?status=closed&limit=2&x=1', token, 200],
  ['/api/v1/prs?status=merged', cookie('other-cookie'), 200],
  ['/api/v1/repos', { ...session, method: 'HEAD' }, 200],
  ['/api/v1/repos?x', session, 400, { strict: true }],
  ['/api/v1/findings?page=0', session, 400],
  ['/api/v1/findings?limit=ten&severity=moderate', session, 400],
  ['/api/v1/findings/d4?x', token, 400, { strict: true }],
  ['/api/v1/prs?status=cancelled&x', token, 400],
  ['/api/v1/prs?page=1&page=2', token, 400],
  ['/api/v1/repos', {}, 401],
  ['/api/v1/repos?x', token, 401],
  ['/api/v1/findings', cookie('acme-expired'), 401],
  ['/api/v1/findings/d4', bearer('acme-token-revoked'), 401],
  ['/api/v1/prs', { method: 'HEAD' }, 401],
  ['/api/v1/findings/nope', token, 404],
  ['/api/v1/findings/others-draft', session, 404],
  ['/api/v1/repos', session, 500, { storage: corrupt(good) }],
  ['/api/v1/findings', session, 500, { storage: corrupt(good) }],
  ['/api/v1/findings/d4', session, 500, { storage: corrupt(good) }],
  ['/api/v1/prs', token, 500, { storage: corrupt(good) }],
  ['/api/v1/repos', session, 503, { storage: unreachable(good) }],
  ['/api/v1/findings', session, 503, { storage: unreachable(good) }],
  ['/api/v1/findings/d4?x', token, 503, { storage: unreachable(good) }],
  ['/api/v1/prs', token, 503, { storage: unreachable(good) }],
  ['/api/v1/nope', session, 404],
  ['/api/v1/repos/', session, 404],
  ['/api/v1/findings/d4', { ...session, method: 'DELETE' }, 405],
  ['/api/v1/prs', { method: 'POST' }, 405],
];

for (const [target, init, status, over = {}] of table) {
  const method = init.method ?? 'GET';
  test(`${method} ${target} → ${status}, ${JSON.stringify(init.headers ?? {})}: as the document says`, async (t) => {
    const { ask } = await serve(t, [], { ...usual, ...over });
    const answer = await ask(target, init);
    t.is(answer.status, status);
    if (method === 'HEAD') {
      // The document speaks of GET: what HEAD answers, less the body, is the same.
      const get = await ask(target, { ...init, method: 'GET' });
      t.deepEqual(judge('GET', target, { ...answer, body: get.body }), []);
    } else {
      t.deepEqual(judge(method, target, answer), []);
    }
  });
}

for (const target of ['/api/v1/repos', '/api/v1/findings', '/api/v1/findings/d4', '/api/v1/prs']) {
  test(`GET ${target} again → 304: as the document says`, async (t) => {
    const { ask } = await serve(t, [], usual);
    const etag = (await ask(target, session)).headers.get('etag') ?? '';
    const again = await ask(target, { headers: { ...session.headers, 'If-None-Match': etag } });
    t.is(again.status, 304);
    t.deepEqual(judge('GET', target, again), []);
  });
}

for (const name of ['acme', 'boundary', 'demo', 'empty', 'large']) {
  test(`every answer to ${name} of the shipped fixtures agrees with the document`, async (t) => {
    const fixtures = await readFixtures(shippedFixtures);
    const datasets = E.isRight(fixtures) ? fixtures.right.map(({ dataset }) => dataset) : [];
    const { ask } = await serve(t, datasets);
    const seen = async (target: string): Promise<unknown> => {
      const answer = await ask(target, cookie(`${name}-session`));
      t.is(answer.status, 200, target);
      t.deepEqual(judge('GET', target, answer), [], target);
      return answer.body;
    };
    await seen('/api/v1/repos');
    for (const list of ['findings', 'prs']) {
      const { totalPages } = Object(await seen(`/api/v1/${list}?limit=100`));
      for (let page = 2; page <= totalPages; page += 1) await seen(`/api/v1/${list}?limit=100&page=${page}`);
    }
    const { items } = Object(await seen('/api/v1/findings'));
    for (const { id } of items) await seen(`/api/v1/findings/${encodeURIComponent(id)}`);
  });
}

test('every answer of every operation in the document is reached here', (t) => {
  const { paths } = JSON.parse(JSON.stringify(openApiDocument(examples)));
  const template = (target: string): string =>
    target.replace(/\?.*/, '').replace(/^\/api\/v1\/findings\/[^/]+$/, '/api/v1/findings/{id}');
  const reached = new Set(table.map(([target, , status]) => `${template(target)} ${status}`));
  for (const [path, { get }] of Object.entries<{ get: { responses: object } }>(paths)) {
    for (const status of Object.keys(get.responses)) {
      t.true(status === '304' || reached.has(`${path} ${status}`), `${path} ${status}`);
    }
  }
});

const withHeader = (headers: Headers, name: string, value: string | null): Headers => {
  const changed = new Headers(headers);
  if (value === null) changed.delete(name);
  else changed.set(name, value);
  return changed;
};

type Change = (answer: Answer) => Answer;

/** The same answer with other fields in its body, with another header, with something else of its own. */
const fields =
  (over: object): Change =>
  (a) => ({ ...a, body: { ...Object(a.body), ...over } });
const header =
  (name: string, value: string | null): Change =>
  (a) => ({
    ...a,
    headers: withHeader(a.headers, name, value),
  });
const having =
  (over: Partial<Answer>): Change =>
  (a) => ({ ...a, ...over });

const wrong: readonly (readonly [what: string, change: Change, problem: string])[] = [
  ['a field more', fields({ secret: 1 }), 'body must NOT have additional properties'],
  ['a field of another type', fields({ prCount: '3' }), 'body/prCount must be integer'],
  ['the body of another status', having({ status: 404 }), "body must have required property 'error'"],
  ['no ETag', header('etag', null), 'header ETag is missing'],
  ['another content type', header('content-type', 'text/html'), 'the content type is another'],
  ['a header that is not its', header('retry-after', '1'), 'header Retry-After is not in the document'],
];

for (const [what, change, problem] of wrong) {
  test(`an answer with ${what} would be noticed`, async (t) => {
    const { ask } = await serve(t, [], usual);
    const answer = change(await ask('/api/v1/findings/d4', session));
    const told = judge('GET', '/api/v1/findings/d4', {
      ...answer,
      body: JSON.parse(JSON.stringify(answer.body)),
    });
    t.true(told.includes(problem), told.join('\n'));
  });
}
