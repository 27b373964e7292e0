import test from 'ava';
import { Described } from '../../src/codecs/described.js';
import { credentialDocs } from '../../src/contract/credential-kind.js';
import { FindingDetail } from '../../src/contract/finding.js';
import { headerDocs } from '../../src/contract/header-docs.js';
import { operations } from '../../src/contract/operations.js';
import { Pr } from '../../src/contract/pr.js';
import { Repo } from '../../src/contract/repo.js';
import { otherResponses, responseDocs } from '../../src/contract/response-docs.js';

const sentences = /^[A-Z`"].*\.$/;

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

test('each operation says what happens to an unknown parameter, and those with pages to a page too far', (t) => {
  for (const { id, decisions, queryParameters } of Object.values(operations)) {
    const text = decisions.join(' ');
    t.regex(text, /unknown query parameter/, id);
    t.is(/page beyond the last/.test(text), 'page' in queryParameters.type.props, id);
  }
});

test('what is decided about a field is a full sentence', (t) => {
  for (const { type } of [FindingDetail, Pr, Repo]) {
    for (const [name, codec] of Object.entries<unknown>(type.props)) {
      if (!(codec instanceof Described)) continue;
      t.regex(codec.description, sentences, name);
      if (codec.decision !== null) t.regex(codec.decision, sentences, name);
    }
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
