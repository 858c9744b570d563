import { readXmlTree, type XmlElement } from '../../text/xml.ts';

/** The fields of `<xml>`, which are texts where the platform sent it; undefined for what is no such XML. */
export function readCallbackXml(text: string): Record<string, unknown> | undefined {
  const root = readXmlTree(text);
  if (root?.name !== 'xml' || root.children.length === 0) return undefined;
  const byName = Object.groupBy(root.children, ({ name }) => name);
  return Object.fromEntries(Object.entries(byName).map(([name, same = []]) => [name, readField(same)]));
}

/** A field that comes twice, or has fields of its own, is no text. */
function readField([first, ...others]: XmlElement[]): unknown {
  const isText = others.length === 0 && first?.children.length === 0;
  return isText ? first?.text : [first, ...others];
}

/** `<xml>` with these fields in their order: numbers as they are, texts as CDATA. */
export function writeXml(fields: Record<string, string | number>): string {
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${writeValue(value)}</${name}>`);
  return `<xml>${inner.join('')}</xml>`;
}

/** Characters that XML 1.0 cannot hold, not even escaped: one of them and the platform drops the message. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** CDATA has no escapes: its end mark is cut in two instead. */
function writeValue(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.toWellFormed().replace(FORBIDDEN, '').replaceAll(']]>', ']]]]><![CDATA[>');
  return `<![CDATA[${text}]]>`;
}
