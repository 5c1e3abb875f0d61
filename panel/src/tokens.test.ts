// Colours and sizes of type have one source, tokens.css. A page that sets its own would stay behind when the tokens change, and
// would be unreadable in the other scheme.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;
const names = (readdirSync(folder, { recursive: true }) as string[]).filter(name => !name.includes('.test.'));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const tokens = read('tokens.css');
const defined = new Set([...tokens.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name!));

/** Every match as "file: what stands there". */
function found(files: string[], pattern: RegExp): string[] {
  return files.flatMap(file => [...read(file).matchAll(pattern)].map(([match]) => `${file}: ${match.trim()}`));
}

const components = names.filter(name => name.endsWith('.tsx'));
const styles = names.filter(name => name.endsWith('.css') && !/^(tokens|fonts)\.css$/.test(name));

test('no page and no component sets a colour, a size or a weight of type that is no token', () => {
  const overrides = [
    /#[\da-f]{3,8}\b/gi,
    /\b(?:fz|lh|fw|lts)=(?!"var\(--|\{word\.isNew \? 'var)[^\s>]+/g,
    /\b(?:color|c|bg)=\{?["'`]\w+\.\d/g,
    /\b(?:fontSize|fontWeight|lineHeight|color|background|backgroundColor|borderColor): (?!['"`]?var\(--|colours\[|roleColors\[|undefined)[^,}]+/g,
  ];
  // A type, and the name of a colour of the theme.
  const allowed = /: color: (?:string|'(?:red|gray|cini)')$/;
  expect(overrides.flatMap(one => found(components, one)).filter(one => !allowed.test(one))).toEqual([]);
});

test('controls and lines of a page stand at least 8 px apart', () => {
  expect(found(components, /<(?:Group|Stack)\b[^>]*gap="xs"/g)).toEqual([]);
});

test('the other sheets take every colour and size of type from a token', () => {
  expect(found(styles, /#[\da-f]{3,8}\b|\brgba?\([^)]*\)|\bhsla?\([^)]*\)/gi)).toEqual([]);
  expect(found(styles, /font-size: (?!var\(--|inherit|0\.93em)[^;]+/g)).toEqual([]);
  expect(found(styles, /font-weight: (?!var\(--|inherit)[^;]+/g)).toEqual([]);
});

test('every token that is asked for exists', () => {
  const own = /^--(?:mantine|button|input|switch|ai|menu|app-shell|sc|tab)-|^--_/;
  const local = new Set(styles.flatMap(name => [...read(name).matchAll(/^\s*(--[\w-]+):/gm)].map(([, one]) => one!)));
  const asked = [...components, ...styles, ...names.filter(name => /\.ts$/.test(name))].flatMap(name =>
    [...read(name).matchAll(/var\((--[\w-]+)(?![\w-]*\$)/g)].map(([, token]) => ({ name, token: token! })),
  );
  const unknown = asked.filter(({ token }) => !defined.has(token) && !own.test(token) && !local.has(token));
  expect(unknown.map(({ name, token }) => `${name}: ${token}`).filter(one => !/--$|--staff-$/.test(one))).toEqual([]);
});

test('light and dark define the same tokens', () => {
  const block = (start: string) => {
    const from = tokens.indexOf('{', tokens.indexOf(start));
    return [...tokens.slice(from, tokens.indexOf('\n}', from)).matchAll(/^\s*(--[\w-]+):/gm)].map(([, one]) => one!);
  };
  const light = block('[data-mantine-color-scheme="light"] {');
  expect(light.length).toBeGreaterThan(50);
  expect(block('[data-mantine-color-scheme="dark"] {').sort()).toEqual(light.sort());
});

// Relative luminance and contrast as WCAG 2.2 defines them.
const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map(at => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
function valuesOf(scheme: 'light' | 'dark'): Map<string, string> {
  const from = tokens.indexOf(`[data-mantine-color-scheme="${scheme}"] {`);
  const block = tokens.slice(from, tokens.indexOf('\n}', from));
  return new Map([...block.matchAll(/(--[\w-]+): (#[\da-f]{6});/g)].map(([, name, hex]) => [name!, hex!]));
}

test.each(['light', 'dark'] as const)(
  'text is 4.5:1 on every ground it may stand on, and what a chart says 3:1 (%s)',
  scheme => {
    const value = valuesOf(scheme);
    const grounds = ['--ground', '--surface', '--sunken', '--raised', '--hover', '--selected'];
    const texts = ['--ink', '--ink-2', '--ink-3', '--link'];
    const kinds = ['ok', 'bad', 'warn', 'busy', 'plan', 'idle'];
    const pairs = [
      ...texts.flatMap(text => grounds.map(ground => [text, ground, 4.5] as const)),
      ...kinds.map(kind => [`--${kind}-text`, `--${kind}-tint`, 4.5] as const),
      ...kinds.map(kind => [`--${kind}-text`, '--surface', 4.5] as const),
      ['--on-action', '--action', 4.5] as const,
      ['--on-action', '--action-hover', 4.5] as const,
      ['--on-danger', '--danger', 4.5] as const,
      ...['delivered', 'failed', 'filtered', 'onway'].map(part => [`--chart-${part}`, '--surface', 3] as const),
      ['--focus', '--surface', 3] as const,
      ['--line-control', '--surface', 3] as const,
    ];
    const weak = pairs
      .map(([over, ground, needed]) => ({ over, ground, needed, is: contrast(value.get(over)!, value.get(ground)!) }))
      .filter(({ is, needed }) => !(is >= needed));
    expect(weak).toEqual([]);
  },
);
