/** The API's draft formats. */
export const DRAFT_FILES = '.docx,.md,.markdown,.tex,.html,.htm,.xhtml,.txt';
const NAMES = /\.(docx|md|markdown|tex|html?|xhtml|txt)$/i;
const MAX_BYTES = 4_500_000;
/** Maximum bytes of a draft in the workspace. */
const MAX_STORED_BYTES = 10 * 1024 * 1024;

export type DraftRefusal = 'kind' | 'empty' | 'tooLarge' | 'tooLargeAnywhere';

/** Returns whether a file's claims can be checked, by its name. */
export function isDraftName(name: string): boolean {
  return NAMES.test(name);
}

/** Returns the reason that a file on this computer can't be sent; undefined if it can. */
export function refusalOf({ name, size }: Pick<File, 'name' | 'size'>): DraftRefusal | undefined {
  if (!isDraftName(name)) return 'kind';
  if (size === 0) return 'empty';
  if (size > MAX_STORED_BYTES) return 'tooLargeAnywhere';
  return size > MAX_BYTES ? 'tooLarge' : undefined;
}
