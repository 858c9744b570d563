import { type RefObject, useEffect } from 'react';

/** Focuses a text box when it appears, and by the key `/` from anywhere on the page. */
export function useFocusKey(box: RefObject<HTMLTextAreaElement | null>, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    if (matchMedia('(pointer: fine)').matches && !isInDialog()) box.current?.focus({ preventScroll: true });
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, isComposing } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || isComposing || event.defaultPrevented) return;
      if (isTyping(event.target) || isInDialog()) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [box, isWanted]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

function isInDialog(): boolean {
  return document.querySelector('dialog[open], [role="dialog"]') !== null;
}
