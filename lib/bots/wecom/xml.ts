import { readXmlTree, type XmlElement } from '../../text/xml.ts';

/** Returns the fields of `<xml>`, which are all texts if WeCom sent it; undefined for any other XML. */
export function readCallbackXml(text: string): Record<string, unknown> | undefined {
  const root = readXmlTree(text);
  if (root?.name !== 'xml' || root.children.length === 0) return undefined;
  const byName = Object.groupBy(root.children, ({ name }) => name);
  return Object.fromEntries(Object.entries(byName).map(([name, same = []]) => [name, readField(same)]));
}

/** Returns a field's text. Undefined for a repeated field, or one with fields of its own. */
function readField([first, ...others]: XmlElement[]): unknown {
  const isText = others.length === 0 && first?.children.length === 0;
  return isText ? first?.text : [first, ...others];
}

/** Writes `<xml>` with these fields in order, numbers unchanged, and texts as CDATA. */
export function writeXml(fields: Record<string, string | number>): string {
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${writeValue(value)}</${name}>`);
  return `<xml>${inner.join('')}</xml>`;
}

/** Characters that XML 1.0 can't contain, even escaped. WeCom drops a message with one of them. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Writes a value. CDATA has no escapes, so its end mark is split in two. */
function writeValue(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.toWellFormed().replace(FORBIDDEN, '').replaceAll(']]>', ']]]]><![CDATA[>');
  return `<![CDATA[${text}]]>`;
}
