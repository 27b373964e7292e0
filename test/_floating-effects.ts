import { relative } from 'node:path';
import { type Expression, type ExpressionStatement, type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isPropertyAccessExpression,
} from 'typescript/unstable/ast/is';
import { API, type Project, SignatureKind, type Type } from 'typescript/unstable/sync';

/**
 * The expression statements of a project that drop a promise whose rejection nothing handles, or a task that
 * nothing runs: a function without parameters that returns a promise, such as a TaskEither. Each is given as
 * its file and text. Where a value is dropped on purpose, `void` says so.
 */
export const floatingEffects = (root: string, configFile: string): readonly string[] => {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [configFile] }).getProject(configFile);
    if (project === undefined) throw new Error(`${configFile} cannot be opened`);
    return project.program.getSourceFileNames().flatMap((file) => {
      const source = project.program.getSourceFile(file);
      if (source === undefined || source.isDeclarationFile) return [];
      const found = expressionStatements(source);
      const types = project.checker.getTypeAtLocation(found.map(({ expression }) => expression));
      return found
        .filter((_, i) => isEffect(project, types[i]))
        .map((statement) => `${relative(root, file)}: ${statement.expression.getText(source)}`);
    });
  } finally {
    api.close();
  }
};

const expressionStatements = (node: Node): readonly ExpressionStatement[] => {
  const found: ExpressionStatement[] = [];
  const visit = (each: Node): undefined => {
    if (isExpressionStatement(each) && !isAssignment(each.expression) && !isHandled(each.expression))
      found.push(each);
    each.forEachChild(visit);
  };
  visit(node);
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

const isEffect = ({ checker }: Project, type: Type | undefined): boolean => {
  const isPromise = (each: Type): boolean => checker.getPropertyOfType(each, 'then') !== undefined;
  const members = type?.isUnionType() ? type.getTypes() : type === undefined ? [] : [type];
  return members.some(
    (member) =>
      isPromise(member) ||
      checker.getSignaturesOfType(member, SignatureKind.Call).some((signature) => {
        const returned = checker.getReturnTypeOfSignature(signature);
        return signature.parameters.length === 0 && returned !== undefined && isPromise(returned);
      }),
  );
};
