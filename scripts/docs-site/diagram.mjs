// Draws a Mermaid flowchart as SVG while the site is built, so that readers load no client library. It supports what our pages use:
// `flowchart TB`, nodes `id[label]` and `id[(store)]`, edges `a --> b` and `a -->|label| b`, `<br>` in labels. Other lines throw.
const letterWidth = 7.6;
const lineHeight = 18;
const padding = 14;
const gap = { rows: 60, columns: 22 };

export function parseDiagram(text) {
  const [head, ...lines] = text
    .split('\n')
    .map(one => one.trim())
    .filter(Boolean);
  if (head !== 'flowchart TB') throw new Error(`not a flowchart from top to bottom: ${head}`);
  const nodes = new Map();
  const edges = [];
  for (const line of lines) {
    const node = /^(\w+)\[(\()?"?(.+?)"?\)?\]$/.exec(line);
    const edge = /^(\w+) -->(?:\|(.+)\|)? (\w+)$/.exec(line);
    if (node) nodes.set(node[1], { words: node[3].split('<br>'), isStore: Boolean(node[2]), rank: 0 });
    else if (edge && nodes.has(edge[1]) && nodes.has(edge[3]))
      edges.push({ from: nodes.get(edge[1]), label: edge[2] ?? '', to: nodes.get(edge[3]) });
    else throw new Error(`neither a node nor an edge between nodes above it: ${line}`);
  }
  return { nodes: [...nodes.values()], edges };
}

/** A node stands one row below the lowest node that leads to it. */
function place({ nodes, edges }) {
  for (const node of nodes)
    for (const { from, to } of edges) if (from === node) to.rank = Math.max(to.rank, node.rank + 1);
  for (const node of nodes) {
    node.width = Math.max(...node.words.map(word => word.length)) * letterWidth + 2 * padding;
    node.height = node.words.length * lineHeight + 2 * padding;
  }
  const rows = [];
  for (const node of nodes) rows[node.rank] = [...(rows[node.rank] ?? []), node];
  const widthOf = row => row.reduce((sum, one) => sum + one.width + gap.columns, -gap.columns);
  // A label begins at the middle.
  const labelWidth = Math.max(...edges.map(one => one.label.length)) * letterWidth + padding;
  const width = Math.max(...rows.map(widthOf), 2 * labelWidth) + 2;
  let y = 1;
  for (const row of rows) {
    let x = (width - widthOf(row)) / 2;
    for (const node of row) {
      Object.assign(node, { x, y });
      x += node.width + gap.columns;
    }
    y += Math.max(...row.map(one => one.height)) + gap.rows;
  }
  return { width: Math.ceil(width), height: Math.ceil(y - gap.rows + 1) };
}

export function drawDiagram(text, label) {
  const diagram = parseDiagram(text);
  const { width, height } = place(diagram);
  const shapes = [...diagram.edges.map(edgeSvg), ...diagram.nodes.map(nodeSvg)].join('');
  return `<div class="diagram" tabindex="0" role="region" aria-label="${escaped(label)}"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(spoken(diagram))}">${shapes}</svg></div>\n`;
}

function nodeSvg({ x, y, width, height, words, isStore }) {
  const first = y + height / 2 - ((words.length - 1) * lineHeight) / 2 + 5;
  const text = words.map(
    (word, i) => `<text x="${round(x + width / 2)}" y="${round(first + i * lineHeight)}">${escaped(word)}</text>`,
  );
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${isStore ? 18 : 6}"/>${text.join('')}`;
}

function edgeSvg({ from, to, label }) {
  const [x, y] = [round(from.x + from.width / 2), round(from.y + from.height)];
  const [endX, endY] = [round(to.x + to.width / 2), round(to.y)];
  const middle = round((y + endY) / 2);
  const words = label
    ? `<text class="label" x="${round((x + endX) / 2 + 8)}" y="${middle + 5}">${escaped(label)}</text>`
    : '';
  return `<path d="M${x} ${y}C${x} ${middle} ${endX} ${middle} ${endX} ${endY}"/><path class="arrow" d="M${endX - 4} ${endY - 8}h8l-4 8z"/>${words}`;
}

/** The edges as text for screen readers. */
function spoken({ edges }) {
  return edges
    .map(({ from, label, to }) => `${from.words.join(' ')} → ${to.words.join(' ')}${label ? ` (${label})` : ''}`)
    .join('; ');
}

const round = value => Math.round(value * 10) / 10;
const escaped = text =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
