import test from 'ava';
import { credentialDocs } from '../../src/contract/credential-kind.js';
import { headerDocs } from '../../src/contract/header-docs.js';
import { operations } from '../../src/contract/operations.js';
import { otherResponses, responseDocs } from '../../src/contract/response-docs.js';

const sentences = /^[A-Z`].*\.$/;

for (const { id, purpose, rules, decisions } of Object.values(operations)) {
  test(`the purpose, the rules and the decisions of ${id} are full sentences`, (t) => {
    for (const text of [purpose, ...rules, ...decisions]) t.regex(text, sentences);
  });
}

test('each list says how it is ordered', (t) => {
  for (const { id, decisions } of [
    operations.listConnectedRepos,
    operations.listFindings,
    operations.listPrs,
  ]) {
    t.regex(decisions.join(' '), /\bordered\b.*\bid\b/i, id);
  }
});

test('credentials, responses and headers are described in full sentences', (t) => {
  for (const { description, decision } of [
    ...Object.values(credentialDocs),
    ...Object.values(responseDocs),
    ...Object.values(otherResponses),
    ...Object.values(headerDocs),
  ]) {
    t.regex(description, sentences);
    if (decision !== null) t.regex(decision, sentences);
  }
});
