import { Parser } from 'htmlparser2';

/** A longer note isn't read. It couldn't be stored either. */
const MAX_HTML = 2_000_000;
/** The parser's time grows with the square of the depth. */
const MAX_DEPTH = 500;

const SKIPPED = new Set(['script', 'style', 'template', 'svg']);
const BLOCKS = new Set('p div h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table tr hr br'.split(' '));
const OPENING: Record<string, string> = { a: '[', td: ' ', th: ' ' };
const INLINE: Record<string, string> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  code: '`',
  s: '~~',
  del: '~~',
};

class TooDeep extends Error {}

/** Returns a note of Zotero as Markdown: headings, lists, quotes, emphasis, and links. Null if it is too large. */
export function noteMarkdown(html: string): string | null {
  try {
    return html.length > MAX_HTML ? null : toMarkdown(html);
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

function toMarkdown(html: string): string {
  const parts: string[] = [];
  const open: string[] = [];
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, { href = '' }) {
      if (open.push(name) > MAX_DEPTH) throw new TooDeep();
      parts.push(BLOCKS.has(name) ? `\n${startOf(name, open)}` : (INLINE[name] ?? OPENING[name] ?? ''));
      if (name === 'a') links.push(href);
    },
    ontext(text) {
      if (!open.some((name) => SKIPPED.has(name)))
        parts.push(open.includes('pre') ? text : text.replace(/\s+/g, ' '));
    },
    onclosetag(name) {
      open.pop();
      if (name === 'a') parts.push(linkEnd(links.pop() ?? ''));
      else parts.push(BLOCKS.has(name) && name !== 'br' && name !== 'li' ? '\n' : (INLINE[name] ?? ''));
    },
  });
  parser.end(html);
  return parts
    .join('')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .toWellFormed();
}

function startOf(name: string, open: string[]): string {
  if (/^h\d$/.test(name)) return `\n${'#'.repeat(Number(name[1]))} `;
  if (name === 'li')
    return `${'  '.repeat(Math.max(0, open.filter(isList).length - 1))}${open.findLast(isList) === 'ol' ? '1.' : '-'} `;
  if (name === 'hr') return '---';
  return open.includes('blockquote') ? '> ' : '';
}

function isList(name: string): boolean {
  return name === 'ul' || name === 'ol';
}

function linkEnd(href: string): string {
  return /^https?:[^\s()<>]{1,2000}$/.test(href) ? `](${href})` : ']';
}
