import { type RefObject, useEffect, useState } from 'react';

/** Returns the inner width; 0 until it is known. */
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
