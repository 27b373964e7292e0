import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { headerDocs } from '../../src/contract/response-docs.js';
import type { Answer } from '../_server.js';

/** What of a document concerns answers, read back from its text as any tool would read it. */
type Read = Readonly<Record<string, unknown>>;

const at = (value: unknown, ...path: readonly string[]): Read =>
  path.reduce((inside, key) => Object(inside[key]), Object(value));

/** Judges answers by an OpenAPI document alone: what of them it does not say. */
export const judgeBy = (text: string) => {
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
