/** The name that the list of decisions has for each place that carries our mark, with the decision there. */
export type MarkedPlaces = ReadonlyMap<string, string>;

type Part = Readonly<Record<string, unknown>>;

const mark = 'x-triage-decision';

const partsOf = (value: unknown): readonly (readonly [string, Part])[] =>
  Object.entries<unknown>(Object(value)).map(([name, part]) => [name, Object(part)]);

/**
 * The places of an OpenAPI document that say that they are our decision: `Schema.field`, an operation id, the
 * name of a parameter, a header or a security scheme, a status, `other` with the status of a response to
 * another request, and `x-triage-decisions.` with the name of a general one. What several operations have
 * alike is one place. Throws on a mark anywhere else.
 */
export const markedPlaces = (document: Part): MarkedPlaces => {
  const { schemas, securitySchemes } = Object(document.components);
  const operations = partsOf(document.paths).map(([, path]) => Object(path.get));
  const others = partsOf(document['x-triage-other-answers']);
  const responses = [...operations.flatMap((operation) => partsOf(operation.responses)), ...others];
  const places = [
    ...partsOf(schemas).flatMap(([schema, { properties }]) =>
      partsOf(properties).map(([field, part]) => [`${schema}.${field}`, part] as const),
    ),
    ...partsOf(securitySchemes),
    ...operations.map((operation) => [String(operation.operationId), operation] as const),
    ...operations.flatMap(({ parameters }) =>
      partsOf(parameters).map(([, parameter]) => [String(parameter.name), parameter] as const),
    ),
    ...operations.flatMap((operation) => partsOf(operation.responses)),
    ...others.map(([status, response]) => [`other ${status}`, response] as const),
    ...responses.flatMap(([, { headers }]) => partsOf(headers)),
  ].filter(([, part]) => mark in part);
  const found = JSON.stringify(document).split(`"${mark}":`).length - 1;
  if (found !== places.length)
    throw new Error(`${found} marks, of which ${places.length} have a known place`);
  const general = Object.entries<unknown>(Object(document['x-triage-decisions']));
  return new Map([
    ...places.map(([name, part]) => [name, String(part[mark])] as const),
    ...general.map(([name, text]) => [`x-triage-decisions.${name}`, String(text)] as const),
  ]);
};
