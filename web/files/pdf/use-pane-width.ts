import { type RefObject, useEffect, useState } from 'react';

/** How wide it is inside; 0 until that is known. */
export function usePaneWidth(pane: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (pane.current === null) return;
    const watching = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watching.observe(pane.current);
    return () => watching.disconnect();
  }, [pane]);
  return width;
}
