import { type Rendered, renderError, renderErrorLiteral } from '../api/rendered.js';
import type { Problem } from '../codecs/problem.js';
import {
  FindingNotFoundBody,
  InternalServerErrorBody,
  MethodNotAllowedBody,
  NotFoundBody,
  ServiceUnavailableBody,
  UnauthorizedBody,
} from '../contract/error-bodies.js';
import type { HttpError } from './http-error.js';

/** The one table from what went wrong to status and body (contract, section 7; where it is silent, our decisions). */
export const errorAnswer = (error: HttpError): Readonly<{ status: number; body: Rendered }> => {
  switch (error._tag) {
    case 'InvalidParameters':
      return { status: 400, body: renderError(error.problems.map(explain).join('; ')) };
    case 'Unauthorized':
      return { status: 401, body: renderErrorLiteral(UnauthorizedBody) };
    case 'FindingNotFound':
      return { status: 404, body: renderErrorLiteral(FindingNotFoundBody) };
    case 'NotFound':
      return { status: 404, body: renderErrorLiteral(NotFoundBody) };
    case 'MethodNotAllowed':
      return { status: 405, body: renderErrorLiteral(MethodNotAllowedBody) };
    case 'RecordBroken':
    case 'StorageFailed':
    case 'ContractBroken':
    case 'Unexpected':
      return { status: 500, body: renderErrorLiteral(InternalServerErrorBody) };
    case 'StorageUnavailable':
      return { status: 503, body: renderErrorLiteral(ServiceUnavailableBody) };
  }
};

/** A parameter has a name, not a path: `limit: expected …, got …`. */
const explain = ({ path, message, expected }: Problem): string =>
  expected === null ? message : `${path.join('/') || '""'}: ${message}`;
