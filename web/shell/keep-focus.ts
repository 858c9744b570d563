/**
 * Keeps the keyboard focus in place. When the focused element is removed, hidden, or disabled, a browser
 * drops the focus, and the next Tab may start at the top of the page. Moves the focus to the nearest element
 * around it instead, and back once the element can be focused again. Returns a function that stops this.
 */
export function keepFocus(page: Document): () => void {
  let path: HTMLElement[] = [];
  let holder: HTMLElement | undefined;
  /** True until the next frame shows why an element lost the focus. A change of the page that came before must wait. */
  let isLeaving = false;
  const remember = ({ target }: FocusEvent) => {
    if (target === holder) return;
    holder = undefined;
    path = pathOf(target as HTMLElement);
  };
  /**
   * Doesn't apply if a person leaves an element by choice, such as with Escape. Other causes can't be
   * distinguished.
   */
  const forget = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) return;
    isLeaving = true;
    requestAnimationFrame(() => {
      isLeaving = false;
      if (target === path[0] && canFocus(path[0]) && page.activeElement === page.body) path = [];
      restore();
    });
  };
  const restore = () => {
    if (isLeaving) return;
    const [own, ...around] = path;
    const { activeElement } = page;
    if (own === undefined || (activeElement !== page.body && activeElement !== holder)) return;
    if (canFocus(own)) own.focus({ preventScroll: true });
    else if (activeElement === page.body) {
      holder = around.find(canFocus);
      holder?.focus({ preventScroll: true });
    }
  };
  const changes = new MutationObserver(() => requestAnimationFrame(restore));
  changes.observe(page.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  page.addEventListener('focusin', remember);
  page.addEventListener('focusout', forget);
  return () => {
    changes.disconnect();
    page.removeEventListener('focusin', remember);
    page.removeEventListener('focusout', forget);
  };
}

/** Returns the element and those around it that take the focus, inner ones first. */
function pathOf(element: HTMLElement): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at: HTMLElement | null = element; at !== null; at = at.parentElement)
    if (at === element || at.hasAttribute('tabindex')) path.push(at);
  return path;
}

function canFocus(element: HTMLElement): boolean {
  return element.checkVisibility() && !element.matches(':disabled');
}
