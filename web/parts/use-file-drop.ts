import { useEffect, useRef, useState } from 'react';

/**
 * Receives files that are dropped anywhere on the page, and returns whether files are being dragged over it.
 * Without `onDrop`, drops are ignored, because the browser would otherwise open the files in place of the
 * page.
 */
export function useFileDrop(onDrop: ((transfer: DataTransfer) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onDrop);
  take.current = onDrop;
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(take.current !== undefined);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      take.current?.(event.dataTransfer);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    return () => leaving.abort();
  }, []);
  return isOver;
}
