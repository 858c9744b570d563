import { encodingNamed } from './decode-as.ts';

/**
 * The number of bytes in which a file may declare its encoding. In a page, scripts may precede the
 * declaration.
 */
const HEAD_BYTES = 32 * 1024;
/** The number of lines at each end of a file in which editors look for their settings. */
const EDITOR_LINES = 5;

/**
 * Returns the encoding that a text declares, by its name in the Encoding Standard: in an XML declaration, a
 * page's `<meta>`, `@charset`, a line for Python, Emacs, or Vim, a MIME header, or LaTeX's option. Doesn't
 * check the declaration, but ignores encodings in which ASCII takes several bytes, because an ASCII text
 * can't have one.
 */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const tail = Buffer.from(bytes.subarray(-1024)).toString('latin1');
  for (const label of statedLabels(head, tail)) {
    const encoding = label === undefined ? undefined : encodingNamed(label);
    if (encoding !== undefined && !encoding.startsWith('utf-16')) return encoding;
  }
  return undefined;
}

function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
}

export function declaredXmlEncoding(bytes: Uint8Array): string | undefined {
  const label = xmlLabel(headOf(bytes));
  return label === undefined ? undefined : encodingNamed(label);
}

function xmlLabel(head: string): string | undefined {
  return /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^<>]{0,200}?encoding\s*=\s*["']([^"']{1,40})["']/.exec(head)?.[1];
}

function* statedLabels(head: string, tail: string): Generator<string | undefined> {
  yield xmlLabel(head);
  yield /^@charset "([^"]{1,40})";/.exec(head)?.[1];
  if (/^\s*</.test(head)) yield* metaLabels(head);
  yield /^"?content-type:[^\n]{0,200}?charset\s*=\s*"?([\w.:-]{1,40})/im.exec(head)?.[1];
  yield /\\usepackage\s*\[([\w-]{1,40})\]\s*\{inputenc\}/.exec(head)?.[1];
  const lines = [...head.split('\n', EDITOR_LINES), ...tail.split('\n').slice(-EDITOR_LINES)];
  for (const line of lines)
    yield /(?:coding|\bfenc)\s*[:=]\s*["']?([\w.-]{1,40})/i.exec(line.slice(0, 500))?.[1];
}

/** Yields the labels in tags, but not those in comments. */
function* metaLabels(head: string): Generator<string | undefined> {
  const tags = head.replace(/<!--(?:(?!-->)[\s\S])*/g, '').match(/<meta[\s/][^<>]{0,400}>/gi) ?? [];
  for (const tag of tags) {
    const isHeader = /http-equiv\s*=\s*["']?\s*content-type/i.test(tag);
    const own = isHeader ? tag : tag.replace(/\bcontent\s*=\s*(?:"[^"]*"|'[^']*')/i, '');
    yield /\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(own)?.[1];
  }
}
