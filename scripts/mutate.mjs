// `npm run mutate [-- MODULE…]`: mutation testing. Changes one operator, condition, flag or call of a module at a time and runs the
// module's tests; a mutant that no test notices survives. Fails when a module keeps 10 % or more of its mutants. Stryker would bring
// 130 packages, one under a licence that is not allowed here (docs/decisions/0001-dependencies.md); rolldown's parser is here already.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { createVitest } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
const survivorsMax = 0.1;

/** Source files, and the tests that must notice their mutants. */
const modules = {
  parts: {
    files: ['src/text/split.ts', 'src/text/prepare.ts'],
    tests: ['src/text/split.test.ts', 'src/text/prepare.test.ts'],
  },
  receipts: {
    files: ['src/receipts/verdicts.ts', 'src/smpp/receipt.ts'],
    tests: ['src/receipts/verdicts.test.ts', 'src/smpp/receipt.test.ts'],
  },
  consent: {
    files: ['src/consent/read-row.ts', 'src/consent/check-rows.ts', 'src/consent/current.ts'],
    tests: ['src/consent/read-row.test.ts', 'src/consent/current.test.ts', 'src/consent/register.test.ts'],
  },
  money: {
    files: ['src/balance/ledger.ts', 'src/balance/checkpoints.ts', 'src/settle/settle.ts', 'src/settle/close.ts'],
    tests: ['src/balance/ledger.test.ts', 'src/settle'],
  },
};

const operators = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};
const methods = { some: 'every', every: 'some', min: 'max', max: 'min' };
/** A mutant of a loop's own condition may never end. */
const loops = { ForStatement: ['test', 'update'], WhileStatement: ['test'], DoWhileStatement: ['test'] };

/** Every mutant of a text: the piece that is replaced, and by what. */
export function mutantsOf(text) {
  const found = [];
  const put = (start, end, by) => found.push({ start, end, by, line: text.slice(0, start).split('\n').length });
  const visit = (node, key, parent) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const one of node) visit(one, key, parent);
      return;
    }
    if (typeof node.type !== 'string') return;
    if (loops[parent?.type]?.includes(key)) return;
    if (node.type.startsWith('TS') && !node.expression) return;
    if (node.operator in operators && node.left && !node.type.startsWith('Assignment')) {
      const at = node.left.end + text.slice(node.left.end, node.right.start).indexOf(node.operator);
      put(at, at + node.operator.length, operators[node.operator]);
    }
    if (node.type === 'UnaryExpression' && node.operator === '!') put(node.start, node.start + 1, '');
    if (node.type === 'Literal' && typeof node.value === 'boolean') put(node.start, node.end, String(!node.value));
    if (['IfStatement', 'ConditionalExpression'].includes(node.type))
      for (const by of ['true', 'false']) put(node.test.start, node.test.end, by);
    if (node.type === 'MemberExpression' && !node.computed && Object.hasOwn(methods, node.property.name))
      put(node.property.start, node.property.end, methods[node.property.name]);
    if (node.type === 'ExpressionStatement' && /^(Call|Await|Assignment|Update)/.test(node.expression.type))
      put(node.start, node.end, ';');
    for (const [name, child] of Object.entries(node)) if (name !== 'parent') visit(child, name, node);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

/** Only the tests named, in processes of their own; the mutant is made when Vitest reads the file. */
async function openRunner() {
  let current = null;
  const mutate = {
    name: 'mutate',
    enforce: 'pre',
    transform: (code, id) =>
      current && id.split('?')[0] === join(root, current.file)
        ? code.slice(0, current.start) + current.by + code.slice(current.end)
        : null,
  };
  const options = { root, watch: false, project: 'unit', bail: 1, reporters: [{}], passWithNoTests: false };
  const vitest = await createVitest('test', options, { plugins: [mutate] });
  for (const project of vitest.projects) {
    // A mutant that waits for something for ever counts as noticed.
    project.config.testTimeout = 30_000;
    project.config.hookTimeout = 30_000;
  }
  return {
    close: () => vitest.close(),
    async passes(tests, mutant) {
      current = mutant;
      if (mutant) vitest.invalidateFile(join(root, mutant.file));
      const specifications = await vitest.globTestSpecifications(tests);
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
      if (mutant) vitest.invalidateFile(join(root, mutant.file));
      if (testModules.length === 0) throw new Error(`no test among ${tests.join(', ')}`);
      return unhandledErrors.length === 0 && testModules.every(one => one.ok());
    },
  };
}

async function main() {
  const names = process.argv.slice(2);
  const runner = await openRunner();
  let isEnough = true;
  for (const name of names.length > 0 ? names : Object.keys(modules)) {
    const { files, tests } = modules[name];
    if (!(await runner.passes(tests, null))) throw new Error(`the tests of ${name} fail without a mutant`);
    const mutants = files.flatMap(file =>
      mutantsOf(readFileSync(join(root, file), 'utf8')).map(one => ({ ...one, file })),
    );
    const survivors = [];
    for (const mutant of mutants) {
      if (!(await runner.passes(tests, mutant))) continue;
      survivors.push(mutant);
      const text = readFileSync(join(root, mutant.file), 'utf8');
      console.log(
        `  ${mutant.file}:${mutant.line}  ${text.slice(mutant.start, mutant.end)} → ${mutant.by || 'nothing'}`,
      );
    }
    const share = survivors.length / mutants.length;
    console.log(`${name}: ${survivors.length} of ${mutants.length} mutants survive (${(share * 100).toFixed(1)} %)`);
    isEnough &&= share < survivorsMax;
  }
  await runner.close();
  process.exitCode = isEnough ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
