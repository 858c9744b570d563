import { inProse } from './prose.ts';

/**
 * Schemes that a link written by a model may have, because its text may come from any file that the model
 * read.
 */
const HARMLESS = new Set(['http', 'https', 'mailto', 'tel']);
/** Maximum characters of a footnote name. Text with a longer one isn't a footnote. */
const LONGEST_NAME = 500;
/** Matches tags without attributes that only format text. */
const PLAIN_TAG =
  /^<\/?(?:br|hr|p|b|i|u|s|em|strong|sub|sup|kbd|del|ins|mark|details|summary|table|thead|tbody|tr|th|td)\s*\/?>/i;
const WEB_LINK = /^<(?:https?:\/\/|mailto:)[^\s<>]*>/i;
const DESTINATION = /\]\(|\]:|</g;

/**
 * Restricts the links in a Markdown text to the web and the workspace: `javascript:`, `data:`, and any other scheme
 * become text, however they are obfuscated. Code stays unchanged.
 */
export function sanitizeLinks(markdown: string): string {
  return inProse(markdown, sanitizeProse);
}

/** Sanitizes a piece of text that contains no code. */
export function sanitizeProse(prose: string): string {
  return prose.replace(DESTINATION, (opening, at: number) => {
    if (opening === '<') return isHarmlessTag(prose, at) ? opening : '&lt;';
    if (opening === ']:' && isFootnote(prose, at)) return opening;
    // A backslash removes the special meaning and isn't shown.
    return leadsElsewhere(prose, at + 2) ? `]\\${opening.slice(1)}` : opening;
  });
}

/** Returns true for an autolink to the web, a tag without attributes, or text that isn't a tag. */
function isHarmlessTag(prose: string, at: number): boolean {
  if (!/[a-z/!?]/i.test(prose.charAt(at + 1))) return true;
  const tag = prose.slice(at, at + LONGEST_NAME);
  return PLAIN_TAG.test(tag) || WEB_LINK.test(tag);
}

/** Returns whether this is a footnote definition (`[^1]:`), which links nowhere. */
function isFootnote(prose: string, at: number): boolean {
  const before = prose.slice(Math.max(0, at - LONGEST_NAME), at);
  return before.charAt(before.lastIndexOf('[') + 1) === '^' && before.includes('[');
}

/**
 * Matches everything that can precede the colon of a scheme, including characters that readers don't see and
 * browsers skip.
 */
const SCHEME = /[\s\p{C}\p{Z}\\<>&#;a-z\d+.-]*:?/iuy;

/** Returns whether the destination has a scheme, in any spelling that a browser accepts. */
function leadsElsewhere(prose: string, from: number): boolean {
  SCHEME.lastIndex = from;
  const [piece = ''] = SCHEME.exec(prose) ?? [];
  const address = piece
    .replace(/&#x([\da-f]{1,8});?/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,8});?/g, (_, code: string) => character(Number.parseInt(code, 10)))
    .replace(/&colon;?/gi, ':')
    .replace(/&[a-z]\w{1,30};/gi, '')
    .replace(/[\\<>\s\p{C}\p{Z}]/gu, '')
    .toLowerCase();
  const scheme = /^([a-z][a-z\d+.-]*):/.exec(address)?.[1];
  return scheme !== undefined && !HARMLESS.has(scheme);
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
