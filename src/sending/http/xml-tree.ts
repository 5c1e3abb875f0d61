// Parses XML into a tree of names, attributes and texts. DOCTYPE, and with it declared entities, is refused.
import { SaxesParser } from 'saxes';

export type XmlNode = { name: string; attributes: Record<string, string>; text: string; children: XmlNode[] };

const nodesMax = 50_000;
const depthMax = 50;

/** Returns the root; throws if the document is not XML. */
export function readXml(document: string): XmlNode {
  const parser = new SaxesParser();
  const top: XmlNode = { name: '', attributes: {}, text: '', children: [] };
  const open = [top];
  let nodes = 0;
  parser.on('error', error => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('the XML has a DOCTYPE, which is refused');
  });
  parser.on('opentag', tag => {
    if (++nodes > nodesMax || open.length > depthMax) throw new Error('the XML has too many elements or levels');
    const node: XmlNode = {
      name: tag.name,
      attributes: tag.attributes as Record<string, string>,
      text: '',
      children: [],
    };
    open.at(-1)!.children.push(node);
    open.push(node);
  });
  const write = (text: string) => {
    open.at(-1)!.text += text;
  };
  parser.on('text', write);
  parser.on('cdata', write);
  parser.on('closetag', () => void open.pop());
  parser.write(document).close();
  const [root] = top.children;
  if (!root) throw new Error('the XML has no element');
  return root;
}
