import { type AnyNode, parse } from 'acorn';
import { fullAncestor } from 'acorn-walk';

/** One small defect: the text from `start` to `end` is replaced. */
export type Mutation = Readonly<{
  start: number;
  end: number;
  original: string;
  mutated: string;
  /** The name of the innermost function around it that has one, or else of the outermost declaration. */
  declaration: string;
}>;

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** The opposite of a comparison, for operators whose entry above moves the boundary only. */
const opposites: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

const methods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  ceil: 'floor',
  floor: 'ceil',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

/** Properties that are easily taken for each other. */
const neighbors: Readonly<Record<string, string>> = {
  id: 'repoId',
  repoId: 'id',
  draftId: 'id',
  createdAt: 'updatedAt',
  updatedAt: 'createdAt',
  discoveredAt: 'updatedAt',
  startedAt: 'finishedAt',
  finishedAt: 'startedAt',
};

/** Methods that return a variant of the value they are called on: the call is left out. */
const refinements = new Set([
  'filter',
  'sort',
  'toSorted',
  'map',
  'slice',
  'trim',
  'toLowerCase',
  'toUpperCase',
]);

const options = { ecmaVersion: 'latest', sourceType: 'module' } as const;

const parses = (text: string): boolean => {
  try {
    parse(text, options);
    return true;
  } catch {
    return false;
  }
};

const isFunction = (node: AnyNode | null | undefined): boolean =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

/** A name that a node gives to what is inside of it, and whether that is a function. */
const nameOf = (node: AnyNode): readonly (readonly [name: string, isFunction: boolean])[] => {
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
    return [[node.id.name, isFunction(node.init)]];
  if (node.type === 'Property' || node.type === 'MethodDefinition')
    return node.key.type === 'Identifier' && isFunction(node.value) ? [[node.key.name, true]] : [];
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration')
    return [[node.id?.name ?? 'default', node.type === 'FunctionDeclaration']];
  return [];
};

/** Every mutation of a JavaScript module that still parses, in the order of the text. */
export const mutationsOf = (text: string): readonly Mutation[] => {
  const found: Mutation[] = [];
  let declaration = '';
  const replace = (start: number, end: number, mutated: string): void => {
    found.push({ start, end, original: text.slice(start, end), mutated, declaration });
  };
  const replaceNode = ({ start, end }: AnyNode, mutated: string): void => replace(start, end, mutated);
  const source = ({ start, end }: AnyNode): string => text.slice(start, end);
  /** Removes an element of a list, with the comma after it or, for the last one, before it. */
  const removeEach = (nodes: readonly (AnyNode | null)[]): void => {
    nodes.forEach((node, i) => {
      if (node === null) return;
      const next = nodes[i + 1];
      const previous = nodes[i - 1];
      if (next) replace(node.start, next.start, '');
      else replace(previous?.end ?? node.start, node.end, '');
    });
  };

  fullAncestor(parse(text, options), (node, _state, ancestors) => {
    const parent = ancestors[ancestors.length - 2];
    const names = ancestors.flatMap(nameOf);
    [declaration] = names.findLast(([, isNamedFunction]) => isNamedFunction) ?? names[0] ?? ['(module)'];
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const operator = operators[node.operator];
        const isText = [node.left, node.right].some(
          (side) =>
            side.type === 'TemplateLiteral' || (side.type === 'Literal' && typeof side.value === 'string'),
        );
        if (operator === undefined || (node.operator === '+' && isText)) break;
        replaceNode(node, `${source(node.left)} ${operator} ${source(node.right)}`);
        const opposite = opposites[node.operator];
        if (opposite !== undefined)
          replaceNode(node, `${source(node.left)} ${opposite} ${source(node.right)}`);
        if (node.type === 'LogicalExpression')
          for (const side of [node.left, node.right]) replaceNode(node, source(side));
        break;
      }
      case 'UnaryExpression':
        if (node.operator === '!') replaceNode(node, source(node.argument));
        break;
      case 'IfStatement':
      case 'ConditionalExpression':
        for (const value of ['true', 'false']) replaceNode(node.test, value);
        break;
      case 'Literal':
        if (parent?.type.startsWith('Import') || parent?.type.startsWith('Export')) break;
        if (parent?.type === 'Property' && parent.key === node) break;
        if (typeof node.value === 'boolean') replaceNode(node, `${!node.value}`);
        if (typeof node.value === 'number') {
          replaceNode(node, `${node.value + 1}`);
          replaceNode(node, `(${node.value - 1})`);
        }
        if (typeof node.value === 'string') replaceNode(node, node.value === '' ? "'mutated'" : "''");
        if (node.regex?.pattern.startsWith('^')) replace(node.start + 1, node.start + 2, '');
        if (node.regex?.pattern.endsWith('$')) {
          const end = node.start + 1 + node.regex.pattern.length;
          replace(end - 1, end, '');
        }
        break;
      case 'TemplateLiteral':
        replaceNode(node, "''");
        break;
      case 'ArrayExpression':
        removeEach(node.elements);
        break;
      case 'ObjectExpression':
        removeEach(node.properties);
        break;
      case 'AssignmentPattern':
        replaceNode(node, source(node.left));
        break;
      case 'CallExpression': {
        const { callee } = node;
        if (callee.type === 'Identifier' && callee.name === 'pipe') removeEach(node.arguments.slice(1));
        node.arguments.slice(1).forEach((argument, i) => {
          const previous = node.arguments[i];
          if (previous === undefined) return;
          replace(previous.start, argument.end, `${source(argument)}, ${source(previous)}`);
        });
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') break;
        const method = methods[callee.property.name];
        if (method !== undefined) replaceNode(callee.property, method);
        if (refinements.has(callee.property.name)) replaceNode(node, source(callee.object));
        break;
      }
      case 'MemberExpression': {
        const other = node.property.type === 'Identifier' && !node.computed && neighbors[node.property.name];
        if (other) replaceNode(node, `${source(node.object)}.${other}`);
        break;
      }
      case 'ExpressionStatement':
        replaceNode(node, ';');
        break;
      case 'ReturnStatement':
        if (node.argument) replaceNode(node, 'return;');
        break;
      case 'ArrowFunctionExpression':
        if (node.expression) {
          // Parentheses around the body are not part of it.
          const start = text.indexOf('=>', node.params.at(-1)?.end ?? node.start) + 2;
          replace(start, node.end, ' undefined');
        }
        break;
    }
  });
  const distinct = new Map(found.map((each) => [`${each.start} ${each.end} ${each.mutated}`, each]));
  return [...distinct.values()]
    .filter(({ original, mutated }) => original !== mutated)
    .filter((mutation) => parses(apply(text, mutation)))
    .sort((l, r) => l.start - r.start || l.end - r.end);
};

/** The text with the mutation in it. */
export const apply = (text: string, { start, end, mutated }: Mutation): string =>
  text.slice(0, start) + mutated + text.slice(end);

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 157)}...` : line;
};

/** A mutation of a file on one line, which stays the same while the code around it moves. */
export const describeMutation = (file: string, { declaration, original, mutated }: Mutation): string =>
  `${file} ${declaration} ${[original, mutated].map((text) => JSON.stringify(oneLine(text))).join(' -> ')}`;

/** So many of the values, drawn without repetition by a linear congruential generator. */
export const sampleOf = <A>(values: readonly A[], count: number, seed: number): readonly A[] => {
  const rest = [...values];
  let state = seed >>> 0;
  return Array.from({ length: Math.min(count, values.length) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return rest.splice(Math.floor((state / 2 ** 32) * rest.length), 1);
  }).flat();
};

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Replaces the last line of a terminal. */
export const showProgress = (line: string): void => {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
};
