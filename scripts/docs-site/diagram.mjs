// Draws a Mermaid flowchart as SVG while the site is built, so that readers load no client library. It supports what our pages use:
// `flowchart LR|TB`, nodes `id[label]` and `id[(store)]`, edges `a --> b` and `a -->|label| b`, `<br>` in labels. Anything else throws.
const letter = 7.6;
const line = 18;
const padding = 14;
const gap = { along: 120, across: 22 };

export function parseDiagram(text) {
  const [head, ...lines] = text
    .split('\n')
    .map(one => one.trim())
    .filter(Boolean);
  const direction = /^flowchart (LR|TB)$/.exec(head)?.[1];
  if (!direction) throw new Error(`not a flowchart: ${head}`);
  const nodes = new Map();
  const edges = [];
  for (const one of lines) {
    const node = /^(\w+)\[(\()?"?(.+?)"?(\))?\]$/.exec(one);
    const edge = /^(\w+) -->(?:\|(.+)\|)? (\w+)$/.exec(one);
    if (node) nodes.set(node[1], { id: node[1], words: node[3].split('<br>'), isStore: Boolean(node[2]) });
    else if (edge && nodes.has(edge[1]) && nodes.has(edge[3])) edges.push({ from: edge[1], label: edge[2] ?? '', to: edge[3] });
    else throw new Error(`neither a node nor an edge between known nodes: ${one}`);
  }
  return { direction, nodes: [...nodes.values()], edges };
}

/** Nodes are placed by their longest path from a start; edges that lead back do not count. */
function ranksOf({ nodes, edges }) {
  const order = new Map(nodes.map((one, i) => [one.id, i]));
  const ranks = new Map(nodes.map(one => [one.id, 0]));
  for (const { id } of nodes)
    for (const edge of edges)
      if (edge.from === id && order.get(edge.to) > order.get(id))
        ranks.set(edge.to, Math.max(ranks.get(edge.to), ranks.get(id) + 1));
  return ranks;
}

function placed(diagram) {
  const ranks = ranksOf(diagram);
  const isWide = diagram.direction === 'LR';
  const boxes = diagram.nodes.map(one => ({
    ...one,
    rank: ranks.get(one.id),
    width: Math.max(...one.words.map(word => word.length)) * letter + 2 * padding,
    height: one.words.length * line + 2 * padding,
  }));
  const layers = [...new Set(boxes.map(one => one.rank))].sort((a, b) => a - b).map(rank => boxes.filter(one => one.rank === rank));
  const acrossOf = one => (isWide ? one.height : one.width);
  const alongOf = one => (isWide ? one.width : one.height);
  const breadth = layer => layer.reduce((sum, one) => sum + acrossOf(one) + gap.across, -gap.across);
  const widest = Math.max(...layers.map(breadth));
  let along = 1;
  for (const layer of layers) {
    const deepest = Math.max(...layer.map(alongOf));
    let across = 1 + (widest - breadth(layer)) / 2;
    for (const one of layer) {
      Object.assign(one, isWide ? { x: along, y: across } : { x: across, y: along });
      across += acrossOf(one) + gap.across;
    }
    along += deepest + (isWide ? gap.along : gap.along / 2);
  }
  const size = along - (isWide ? gap.along : gap.along / 2) + 1;
  return { boxes, isWide, width: isWide ? size : widest + 2, height: isWide ? widest + 2 : size };
}

export function drawDiagram(text, label) {
  const diagram = parseDiagram(text);
  const { boxes, isWide, width, height } = placed(diagram);
  const of = id => boxes.find(one => one.id === id);
  const edges = diagram.edges.map(({ from, to, label: words }) => edgeSvg(of(from), of(to), words, isWide)).join('');
  const shapes = boxes.map(boxSvg).join('');
  const arrow =
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>';
  const box = `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`;
  return `<div class="diagram" tabindex="0" role="region" aria-label="${escaped(label)}"><svg viewBox="${box}" width="${Math.ceil(width)}" height="${Math.ceil(height)}" role="img" aria-label="${escaped(spoken(diagram))}">${arrow}${edges}${shapes}</svg></div>\n`;
}

function boxSvg({ x, y, width, height, words, isStore }) {
  const middle = y + height / 2 - ((words.length - 1) * line) / 2 + 5;
  const text = words.map((word, i) => `<text x="${round(x + width / 2)}" y="${round(middle + i * line)}">${escaped(word)}</text>`);
  return `<g${isStore ? ' class="store"' : ''}><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${isStore ? 18 : 6}"/>${text.join('')}</g>`;
}

function edgeSvg(from, to, words, isWide) {
  const middle = one => ({ x: one.x + one.width / 2, y: one.y + one.height / 2 });
  const [a, b] = [middle(from), middle(to)];
  const isBack = isWide ? b.x <= a.x : b.y <= a.y;
  const side = (one, at) => (isWide ? { x: at ? one.x + one.width : one.x, y: middle(one).y } : { x: middle(one).x, y: at ? one.y + one.height : one.y });
  const [start, end] = [side(from, !isBack), side(to, isBack)];
  const half = isWide ? (end.x - start.x) / 2 : (end.y - start.y) / 2;
  const [c, d] = isWide
    ? [`${round(start.x + half)} ${round(start.y)}`, `${round(end.x - half)} ${round(end.y)}`]
    : [`${round(start.x)} ${round(start.y + half)}`, `${round(end.x)} ${round(end.y - half)}`];
  const label = words
    ? `<text class="label" x="${round((start.x + end.x) / 2)}" y="${round((start.y + end.y) / 2 - 5)}">${escaped(words)}</text>`
    : '';
  return `<path d="M${round(start.x)} ${round(start.y)}C${c} ${d} ${round(end.x)} ${round(end.y)}" marker-end="url(#arrow)"/>${label}`;
}

/** The edges as a sentence for screen readers. */
function spoken({ nodes, edges }) {
  const name = id => nodes.find(one => one.id === id).words.join(' ');
  return edges.map(({ from, label, to }) => `${name(from)} → ${name(to)}${label ? ` (${label})` : ''}`).join('; ');
}

const round = value => Math.round(value * 10) / 10;
const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
