/**
 * Whether readers see an element's text. `all` hides everything inside it; the others apply until an inner
 * element overrides them.
 */
export type Hiding = 'none' | 'all' | 'visibility' | 'size' | 'color';

type Attributes = Record<string, string>;
type Style = Map<string, string>;

/**
 * Decides by the attribute `hidden` and the element's own style, within what its parent hides. Style sheets
 * and scripts aren't known, and text that a click would reveal should be read, so only elements that hide
 * themselves count as hidden.
 */
export function hidingOf(attributes: Attributes, parent: Hiding): Hiding {
  if (parent === 'all') return 'all';
  const { hidden, style: text } = attributes;
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return 'all';
  const style = text === undefined ? NO_STYLE : readStyle(text);
  if (removes(style) || isTransparent(style, attributes)) return 'all';
  return ownHiding(style) ?? (shows(style, attributes, parent) ? 'none' : parent);
}

const NO_STYLE: Style = new Map();
const MAX_STYLE = 4000;

/** Of several declarations of a property, the last counts. */
function readStyle(text: string): Style {
  const plain = text
    .slice(0, MAX_STYLE)
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => fromCode(code))
    .toLowerCase();
  return new Map(
    plain.split(';').flatMap((declaration): [string, string][] => {
      const colon = declaration.indexOf(':');
      if (colon === -1) return [];
      const value = declaration.slice(colon + 1).replace('!important', '');
      return [[declaration.slice(0, colon).trim(), value.replace(/\s+/g, ' ').trim()]];
    }),
  );
}

function fromCode(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}

/** A zero length, in any unit. */
const ZERO = /^[-+]?0*(?:\.0*)?(?:[a-z]+|%)?$/;
/** A position so far off the page that no reader scrolls there. */
const FAR = /^-\d{3,}(?:\.\d+)?(?:px|pt|r?em|v[wh]|%)?$/;

/**
 * The maximum length of a value in characters. A value that hides is short, and matching many zeros would
 * take long.
 */
const MAX_VALUE = 100;

function is(style: Style, property: string, form: RegExp): boolean {
  const value = style.get(property);
  return value !== undefined && value !== '' && value.length <= MAX_VALUE && form.test(value);
}

const STRIKES = ['text-decoration', 'text-decoration-line'];

function removes(style: Style): boolean {
  if (is(style, 'display', /^none$/) || is(style, 'content-visibility', /^hidden$/)) return true;
  if (is(style, 'text-indent', FAR)) return true;
  if (STRIKES.some((property) => is(style, property, /\bline-through\b/))) return true;
  if (is(style, 'position', /^(?:absolute|fixed)$/))
    return ['left', 'top', 'right', 'bottom'].some((edge) => is(style, edge, FAR)) || isClipped(style);
  const isFlat = ['height', 'max-height', 'width', 'max-width'].some((size) => is(style, size, ZERO));
  return isFlat && is(style, 'overflow', /^(?:hidden|clip)/);
}

function isClipped(style: Style): boolean {
  return is(style, 'clip', /^rect\((?:0|1)(?:px)?[ ,]/) || is(style, 'clip-path', /^inset\((?:50|100)%/);
}

/**
 * Returns whether the text stays transparent. If a page's scripts fade text in, it starts out transparent.
 */
function isTransparent(style: Style, attributes: Attributes): boolean {
  const fades = [...style.keys()].some((name) =>
    /^(?:transition|animation|transform|will-change)/.test(name),
  );
  const isScripted = Object.keys(attributes).some((name) => name.startsWith('data-'));
  return is(style, 'opacity', ZERO) && !fades && !isScripted;
}

function ownHiding(style: Style): Hiding | undefined {
  if (is(style, 'visibility', /^(?:hidden|collapse)$/)) return 'visibility';
  if (is(style, 'font-size', ZERO)) return 'size';
  const [color, ground] = [style.get('color'), style.get('background-color') ?? style.get('background')];
  if (color === 'transparent' || (color !== undefined && sameColor(color, ground))) return 'color';
  return undefined;
}

function sameColor(one: string, other: string | undefined): boolean {
  return other !== undefined && plainColor(one) === plainColor(other);
}

const NAMED: Record<string, string> = { white: '#ffffff', black: '#000000' };

/** Normalizes `#fff`, `white`, and `rgb(255, 255, 255)` to the same value. */
function plainColor(text: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(text);
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`;
  const parts = /^rgb\((\d{1,3})[ ,]+(\d{1,3})[ ,]+(\d{1,3})\)$/.exec(text);
  if (parts === null) return NAMED[text] ?? text;
  return `#${parts
    .slice(1)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;
}

/** A class may also make the text visible, because its style sheet isn't known. */
function shows(style: Style, attributes: Attributes, parent: Hiding): boolean {
  if (parent === 'visibility') return style.has('visibility');
  const isStyled = attributes.class !== undefined;
  if (parent === 'size') return isStyled || style.has('font-size') || style.has('font');
  return isStyled || ['color', 'background', 'background-color'].some((name) => style.has(name));
}
