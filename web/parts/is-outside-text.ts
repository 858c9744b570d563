/**
 * Returns whether a key without a modifier is free for the page: no text field is using it, and no dialog is
 * open.
 */
export function isOutsideText({ target, defaultPrevented }: KeyboardEvent): boolean {
  const isTyping =
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
  return !isTyping && !defaultPrevented && !isInDialog();
}

export function isInDialog(): boolean {
  return document.querySelector('dialog[open], [role="dialog"]') !== null;
}
