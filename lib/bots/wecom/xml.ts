import { XMLParser } from 'fast-xml-parser';

/** Numbers stay text: ids have 64 bits. No entities: what they could expand to has no bound. */
const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false, processEntities: false });

/** The fields of `<xml>`, which are texts where the platform sent it; undefined for what is no such XML. */
export function readCallbackXml(text: string): Record<string, unknown> | undefined {
  try {
    const { xml } = parser.parse(text) as { xml?: unknown };
    return typeof xml === 'object' && xml !== null ? (xml as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
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
