import { useEffect, useRef, useState } from 'react';

/** Takes files that are dropped anywhere on the page, except where an element takes them itself. Returns whether some are over it. */
export function useDropAnywhere(onFiles: ((files: FileList) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  const isActive = onFiles !== undefined;
  useEffect(() => {
    if (!isActive) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      if (event.defaultPrevented || !event.dataTransfer?.files.length) return;
      event.preventDefault();
      take.current?.(event.dataTransfer.files);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    return () => leaving.abort();
  }, [isActive]);
  return isOver;
}
