import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { type Expression, type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isPropertyAccessExpression,
} from 'typescript/unstable/ast/is';
import { API, SignatureKind, type Type } from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The expression statements of the project that drop a promise whose rejection nothing handles, each as its
 * file and text. Where a promise is dropped on purpose, `void` says so.
 */
const floatingPromises = (): readonly string[] => {
  const api = new API({ cwd: root });
  try {
    const configFile = join(root, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [configFile] }).getProject(configFile);
    if (project === undefined) throw new Error(`${configFile} cannot be opened`);
    const { program, checker } = project;
    const isPromise = (type: Type | undefined): boolean => {
      if (type?.isUnionType()) return type.getTypes().some(isPromise);
      // A rule has a property of this name that is no method.
      const then = type && checker.getPropertyOfType(type, 'then');
      const called = then && checker.getTypeOfSymbol(then);
      return called !== undefined && checker.getSignaturesOfType(called, SignatureKind.Call).length > 0;
    };
    return program.getSourceFileNames().flatMap((file) => {
      const source = program.getSourceFile(file);
      if (source === undefined || source.isDeclarationFile) return [];
      const dropped = droppedIn(source);
      const types = checker.getTypeAtLocation(dropped);
      return dropped
        .filter((_, i) => isPromise(types[i]))
        .map((expression) => `${relative(root, file)}: ${expression.getText(source)}`);
    });
  } finally {
    api.close();
  }
};

/** The expressions whose values nothing uses. */
const droppedIn = (source: Node): readonly Expression[] => {
  const found: Expression[] = [];
  const visit = (each: Node): undefined => {
    if (isExpressionStatement(each) && !isAssignment(each.expression) && !isHandled(each.expression))
      found.push(each.expression);
    each.forEachChild(visit);
  };
  visit(source);
  return found;
};

const isAssignment = (expression: Expression): boolean =>
  isBinaryExpression(expression) &&
  expression.operatorToken.kind >= SyntaxKind.FirstAssignment &&
  expression.operatorToken.kind <= SyntaxKind.LastAssignment;

/**
 * Whether a promise's rejection is handled: by `catch`, by the second argument of `then`, or before
 * `finally`.
 */
const isHandled = (expression: Expression): boolean => {
  if (!isCallExpression(expression) || !isPropertyAccessExpression(expression.expression)) return false;
  const { name, expression: target } = expression.expression;
  return (
    (name.text === 'catch' && expression.arguments.length === 1) ||
    (name.text === 'then' && expression.arguments.length === 2) ||
    (name.text === 'finally' && isHandled(target))
  );
};

// Biome's rule `noFloatingPromises` finds fewer than half of the planted ones.
test('no statement drops a promise, and planted ones are all found', async (t) => {
  const file = 'test/_floating-promises.ts';
  const planted = (await readFile(join(root, file), 'utf8')).matchAll(/^ {2}(.*); \/\/ dropped$/gm);
  t.deepEqual(
    floatingPromises(),
    Array.from(planted, ([, text]) => `${file}: ${text}`),
  );
});
