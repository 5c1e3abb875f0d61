// Renders the templates of ops/helm as Helm would, for the few words of its language that they use; others are an error here.
// It lets the tests see the chart's documents where there is no helm.
import { parseAllDocuments, stringify } from 'yaml';

type Scope = { dot: unknown; variables: Record<string, unknown> };
type Node = string | { words: string; body: Node[]; otherwise: Node[] };
type Defined = Map<string, Node[]>;

const opening = /^(if|range|define) /;

/** Every document of the templates with these values. */
export function renderChart(templates: string[], context: { Values: object; Release: object; Chart: object }) {
  const defined: Defined = new Map();
  const parsed = templates.map(template => parse(tokens(template)));
  for (const node of parsed.flat())
    if (typeof node !== 'string' && node.words.startsWith('define ')) defined.set(quoted(node.words), node.body);
  const scope = { dot: context, variables: { $: context } };
  return parsed.flatMap(nodes =>
    parseAllDocuments(write(nodes, scope, defined))
      .map(document => {
        if (document.errors.length > 0) throw document.errors[0];
        return document.toJS() as Record<string, unknown> | null;
      })
      .filter(document => document !== null),
  );
}

/** Texts, and actions as `{{words`. A dash takes the blanks on its side with it. */
function tokens(template: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (const action of template.matchAll(/(\s*)\{\{(-?)\s*(.*?)\s*(-?)\}\}(\s*)/gs)) {
    const [whole, before, dashBefore, words, dashAfter, after] = action as unknown as string[];
    found.push(template.slice(from, action.index) + (dashBefore ? '' : before), `{{${words}`);
    from = action.index + whole!.length - (dashAfter ? 0 : after!.length);
  }
  return [...found, template.slice(from)];
}

function parse(list: string[]): Node[] {
  const root: Node[] = [];
  const open: { node: Exclude<Node, string>; at: Node[] }[] = [];
  let at = root;
  for (const token of list) {
    const words = token.startsWith('{{') ? token.slice(2) : null;
    if (words === null) at.push(token);
    else if (words.startsWith('/*')) continue;
    else if (words === 'else') at = open.at(-1)!.node.otherwise;
    else if (words === 'end') at = open.pop()!.at;
    else {
      const node = { words, body: [], otherwise: [] };
      at.push(node);
      if (!opening.test(words)) continue;
      open.push({ node, at });
      at = node.body;
    }
  }
  if (open.length > 0) throw new Error(`no end of {{ ${open[0]!.node.words} }}`);
  return root;
}

function write(nodes: Node[], scope: Scope, defined: Defined): string {
  return nodes.map(node => (typeof node === 'string' ? node : act(node, scope, defined))).join('');
}

function act({ words, body, otherwise }: Exclude<Node, string>, scope: Scope, defined: Defined): string {
  if (words.startsWith('define ')) return '';
  if (words.startsWith('if '))
    return write(isTrue(value(words.slice(3), scope, defined)) ? body : otherwise, scope, defined);
  const range = /^range (\$\w+), (\$\w+) := (.*)$/.exec(words);
  if (!range) return String(value(words, scope, defined) ?? '');
  const [, name, item, list] = range as unknown as string[];
  return Object.entries(value(list!, scope, defined) as object)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) =>
      write(body, { dot: one, variables: { ...scope.variables, [name!]: key, [item!]: one } }, defined),
    )
    .join('');
}

/** A pipeline: the value of each step is the last argument of the next. */
function value(words: string, scope: Scope, defined: Defined): unknown {
  let piped: unknown[] = [];
  for (const step of words.split(' | ')) {
    const [first = '', ...rest] = step.match(/"[^"]*"|\((?:[^()]*)\)|\S+/g) ?? [];
    const args = [...rest.map(one => argument(one, scope, defined)), ...piped];
    piped = [isPlain(first) ? argument(first, scope, defined) : call(first, args, defined, scope)];
  }
  return piped[0];
}

const isPlain = (word: string) => /^["(.$]|^\d+$/.test(word);

function argument(word: string, scope: Scope, defined: Defined): unknown {
  if (word.startsWith('"')) return word.slice(1, -1);
  if (word.startsWith('(')) return value(word.slice(1, -1), scope, defined);
  if (/^\d+$/.test(word)) return Number(word);
  const [head = '', ...path] = word.split('.');
  const start = head === '' ? scope.dot : scope.variables[head];
  if (!word.startsWith('.') && !Object.hasOwn(scope.variables, head)) throw new Error(`what is ${word}?`);
  return path.filter(Boolean).reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], start);
}

function call(name: string, args: unknown[], defined: Defined, scope: Scope): unknown {
  const [first, second] = args;
  switch (name) {
    case 'include': {
      const body = defined.get(String(first));
      if (!body) throw new Error(`"${first}" is not defined`);
      return write(body, { dot: second, variables: { ...scope.variables, $: second } }, defined).trim();
    }
    case 'toYaml':
      return stringify(first, { lineWidth: 0 }).trimEnd();
    case 'nindent':
      return `\n${String(second).replace(/^(?=.)/gm, ' '.repeat(Number(first)))}`;
    case 'quote':
      return JSON.stringify(String(first));
    case 'default':
      return isTrue(second) ? second : first;
    case 'contains':
      return String(second).includes(String(first));
    case 'eq':
      return first === second;
    case 'and':
      return args.find(one => !isTrue(one)) ?? (args.every(isTrue) ? args.at(-1) : false);
    case 'or':
      return args.find(isTrue) ?? args.at(-1);
    default:
      throw new Error(`there is no function ${name} here`);
  }
}

/** As Go sees it. */
function isTrue(given: unknown): boolean {
  if (given !== null && typeof given === 'object') return Object.keys(given).length > 0;
  return given !== undefined && given !== null && given !== '' && given !== 0 && given !== false;
}

function quoted(words: string): string {
  return /"([^"]+)"/.exec(words)![1]!;
}
