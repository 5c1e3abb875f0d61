// `npm run mutate [-- MODULE… FILE… FILE:LINE…]`: mutation testing. Changes one operator, condition, flag or call of a module at a time and runs the
// module's tests; a mutant that no test notices survives. Fails when a module keeps 10 % or more of its mutants. Stryker would bring
// 130 packages, one under a licence that is not allowed here (docs/decisions/0001-dependencies.md); rolldown's parser is here already.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { parseAst } from 'rolldown/parseAst';
import { createVitest } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
const survivorsMax = 0.1;
const statementSeconds = 15;

/** Source files, the tests that must notice their mutants, and excluded lines. */
const modules = {
  parts: {
    files: ['src/text/split.ts', 'src/text/prepare.ts'],
    tests: ['src/text/split.test.ts', 'src/text/prepare.test.ts'],
  },
  receipts: {
    files: ['src/receipts/verdicts.ts', 'src/smpp/receipt.ts'],
    tests: ['src/receipts/verdicts.test.ts', 'src/smpp/receipt.test.ts'],
    // Dates that are kept for speed: a mutant there changes no result.
    passes: /\bdates\b|\bknown\b/,
  },
  consent: {
    files: [
      'src/consent/read-row.ts',
      'src/consent/check-rows.ts',
      'src/consent/register.ts',
      'src/consent/brands.ts',
      'src/consent/current.ts',
      'src/accept/sql/blocked.sql',
    ],
    tests: [
      'src/consent/read-row.test.ts',
      'src/consent/check-rows.test.ts',
      'src/consent/register.test.ts',
      'src/consent/brands.test.ts',
      'src/consent/current.test.ts',
      'src/accept/blocked.test.ts',
    ],
  },
  money: {
    files: [
      'src/accept/sql/take_credit.sql',
      'src/settle/sql/settle.sql',
      'src/settle/sql/count_orders.sql',
      'src/settle/sql/charge_late.sql',
      'src/settle/sql/close_order.sql',
      'src/settle/close.ts',
      'src/balance/sql/checkpoint_ledger.sql',
      'src/balance/ledger.ts',
    ],
    // Not test/model: it reduces each failure to the shortest sequence, which takes minutes for a mutant.
    tests: ['src/accept/credit.test.ts', 'src/settle', 'src/balance'],
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
/** Mutants of a loop's condition are left out, because they may never end. */
const loops = { ForStatement: ['test', 'update'], WhileStatement: ['test'], DoWhileStatement: ['test'] };

// For SQL: words and operators between blanks, outside comments and strings. A mutant that the database refuses to
// create does not count.
const sqlWords = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  '+': '-',
  '-': '+',
  '*': '/',
  and: 'or',
  or: 'and',
  not: '',
  greatest: 'least',
  least: 'greatest',
  min: 'max',
  max: 'min',
  true: 'false',
  false: 'true',
};

function sqlMutantsOf(text) {
  const plain = text.replace(/--.*$|'[^']*'/gm, found => ' '.repeat(found.length));
  return [...plain.matchAll(/(?<=[\s(])([a-z]+|[<>=]{1,2}|[-+*])(?=[\s(])/g)]
    .filter(([word]) => Object.hasOwn(sqlWords, word))
    .map(({ 0: word, index }) => ({
      start: index,
      end: index + word.length,
      by: sqlWords[word],
      line: text.slice(0, index).split('\n').length,
    }));
}

/** Every mutant of a text: the replaced piece and its replacement. */
function mutantsOf(text, isSql = false) {
  if (isSql) return sqlMutantsOf(text);
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
    // Statements for the database: sql('name')`…`.
    if (node.type === 'TaggedTemplateExpression' && node.tag.callee?.name === 'sql')
      for (const { start, end } of node.quasi.quasis)
        for (const one of sqlMutantsOf(text.slice(start, end))) put(start + one.start, start + one.end, one.by);
    if (node.type === 'ExpressionStatement' && /^(Call|Await|Assignment|Update)/.test(node.expression.type))
      put(node.start, node.end, ';');
    for (const [name, child] of Object.entries(node)) if (name !== 'parent') visit(child, name, node);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

/** Runs only the named tests, in separate processes; a source is mutated when Vitest reads the file. */
async function openRunner(isSql) {
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
  const temporary = process.env.TMPDIR ?? '';
  // Read by vitest.config.ts, for each of its projects.
  globalThis.mutate = isSql ? 'sql' : mutate;
  const vitest = await createVitest('test', options);
  // One process, because others use the machine meanwhile, and imports are read once.
  for (const project of vitest.projects) project.config.maxWorkers = 1;
  /** Each test copies this database. Returns false if the database refuses the text. */
  const create = async text => {
    const socket = vitest.projects[0].getProvidedContext().databaseSocket;
    const { connection } = JSON.parse(await readText(connect(socket)));
    const client = new pg.Client(connection);
    await client.connect();
    const isTaken = await client.query(text).then(
      () => true,
      () => false,
    );
    await client.end();
    return isTaken;
  };
  /** The file that noticed the last mutant runs first: it usually notices the next one, too. */
  let noticing;
  /**
   * A test run without an end counts as noticed. Vitest kills the process when it is cancelled a second time; the
   * database has its own limit.
   */
  let limitMs = 2 ** 31 - 1;
  const passesAll = async specifications => {
    if (specifications.length === 0) return true;
    let isEndless = false;
    const limit = setTimeout(() => {
      isEndless = true;
      for (let times = 0; times < 2; times++) void vitest.cancelCurrentRun('keyboard-input');
    }, limitMs);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    clearTimeout(limit);
    noticing = testModules.find(one => !one.ok())?.moduleId ?? noticing;
    return !isEndless && unhandledErrors.length === 0 && testModules.every(one => one.ok());
  };
  return {
    create,
    async close() {
      await vitest.close();
      // The folder of this run is gone.
      process.env.TMPDIR = temporary;
    },
    async begin(tests) {
      const began = performance.now();
      if (!(await this.passes(tests, null))) throw new Error(`without a mutant fails ${noticing}`);
      limitMs = Math.max(15_000, 3 * (performance.now() - began));
      if (isSql) await create(`alter role current_user set statement_timeout = '${statementSeconds}s'`);
    },
    async passes(tests, mutant) {
      current = mutant;
      if (mutant) vitest.invalidateFile(join(root, mutant.file));
      const specifications = await vitest.globTestSpecifications(tests);
      if (specifications.length === 0) throw new Error(`no test among ${tests.join(', ')}`);
      const first = specifications.filter(one => one.moduleId === noticing);
      const isUnnoticed =
        (await passesAll(first)) && (await passesAll(specifications.filter(one => !first.includes(one))));
      if (mutant) vitest.invalidateFile(join(root, mutant.file));
      return isUnnoticed;
    },
  };
}

async function main() {
  const names = process.argv.slice(2).filter(one => !one.includes('/'));
  const places = process.argv.slice(2).filter(one => one.includes('/'));
  const isChosen = (file, line) => places.length === 0 || places.includes(file) || places.includes(`${file}:${line}`);
  let isEnough = true;
  for (const name of names.length > 0 ? names : Object.keys(modules)) {
    const { files, tests, passes } = modules[name];
    const began = performance.now();
    const survivors = [];
    let count = 0;
    for (const isSql of [true, false]) {
      const mutants = files
        .filter(file => file.endsWith('.sql') === isSql)
        .flatMap(file => {
          const text = readFileSync(join(root, file), 'utf8');
          const isPassed = ({ line }) => passes?.test(text.split('\n')[line - 1]) || !isChosen(file, line);
          return mutantsOf(text, isSql)
            .filter(one => !isPassed(one))
            .map(one => ({ ...one, file, text }));
        });
      if (mutants.length === 0) continue;
      const runner = await openRunner(isSql);
      await runner.begin(tests);
      for (const mutant of mutants) {
        const { start, end, by, line, file, text } = mutant;
        if (isSql && !(await runner.create(text.slice(0, start) + by + text.slice(end)))) continue;
        count++;
        const isSurvivor = await runner.passes(tests, isSql ? null : mutant);
        if (isSql) await runner.create(text);
        if (!isSurvivor) continue;
        survivors.push(mutant);
        console.log(`  ${file}:${line}  ${text.slice(start, end)} → ${by || 'nothing'}`);
      }
      await runner.close();
    }
    const share = survivors.length / count;
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.log(
      `${name}: ${survivors.length} of ${count} mutants survive (${(share * 100).toFixed(1)} %, ${seconds} s)`,
    );
    isEnough &&= share < survivorsMax;
  }
  process.exitCode = isEnough ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
