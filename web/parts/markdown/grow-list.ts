import type { Token, Tokens } from 'marked';

const MARK = /^ {0,3}(?:([-+*])|\d{1,9}([.)]))/;

/** A growing list: the items that later text can't change, and where the other items start. */
export interface OpenList {
  kept: Tokens.ListItem[];
  raw: string;
}

/**
 * Returns the open list if `block` is a list whose last item continues in `text`, which starts where the list started.
 */
export function openList(block: Token | undefined, text: string): OpenList | undefined {
  if (block?.type !== 'list') return undefined;
  const kept = (block as Tokens.List).items.slice(0, -1);
  const length = kept.reduce((sum, item) => sum + item.raw.length, 0);
  const raw = text.slice(0, length);
  return length > 0 && block.raw.startsWith(raw) ? { kept, raw } : undefined;
}

/**
 * Joins the unchanged items of a list with the new ones. Undefined if the new ones don't belong to the list,
 * or change its spacing.
 */
export function joinList(list: Tokens.List, { kept, raw }: OpenList, next: Token | undefined) {
  if (next?.type !== 'list') return undefined;
  const rest = next as Tokens.List;
  if (markOf(rest) !== markOf(list)) return undefined;
  if (list.loose && !rest.loose && isLoose(kept)) for (const item of rest.items) loosen(item);
  else if (rest.loose !== list.loose) return undefined;
  return { ...list, raw: raw + rest.raw, items: [...kept, ...rest.items] };
}

function markOf({ items }: Tokens.List): string | undefined {
  const [, bullet, delimiter] = MARK.exec(items[0]?.raw ?? '') ?? [];
  return bullet ?? delimiter;
}

/** Returns whether there is an empty line between or inside items. */
function isLoose(items: Tokens.ListItem[]): boolean {
  return items.some(
    ({ raw, tokens }) =>
      /\n[ \t]*\n[ \t]*$/.test(raw) ||
      tokens.some((token) => token.type === 'space' && /\n.*\n/.test(token.raw)),
  );
}

/** Makes an item loose, as the lexer does. */
function loosen(item: Tokens.ListItem): void {
  item.loose = true;
  for (const token of item.tokens) if (token.type === 'text') (token as Token).type = 'paragraph';
}
