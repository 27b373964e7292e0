import test from 'ava';
import { renderError } from '../../src/api/rendered.js';
import { ErrorBody, UnauthorizedBody } from '../../src/contract/error-bodies.js';

test('an error body has the text that its codec prescribes, whatever the message', (t) => {
  t.is(renderError(UnauthorizedBody, 'why').json, '{"error":"Unauthorized"}');
});

test('an error body whose codec takes any text has the message', (t) => {
  t.is(renderError(ErrorBody, 'say "why"').json, '{"error":"say \\"why\\""}');
});
