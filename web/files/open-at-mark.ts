import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';

/** The virtualizer measures rows, and moves, until two frames were the same. */
const STILL_FRAMES = 4;
const MOST_FRAMES = 300;

/** Opens a list at a row, once for each, and at the mark in it: a row may be higher than its pane. */
export function useOpenAtMark(
  pane: RefObject<HTMLElement | null>,
  rows: Virtualizer<HTMLDivElement, Element>,
  row: number | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each row
  useEffect(() => {
    if (row === undefined) return;
    rows.scrollToIndex(row, { align: 'center' });
    let [frame, frames, still, before] = [0, 0, 0, Number.NaN];
    const look = () => {
      const mark = pane.current?.querySelector('mark');
      const top = mark?.getBoundingClientRect().top ?? Number.NaN;
      still = top === before ? still + 1 : 0;
      before = top;
      if (still < STILL_FRAMES && frames++ < MOST_FRAMES) frame = requestAnimationFrame(look);
      else if (mark && !isWithin(top, pane.current)) mark.scrollIntoView({ block: 'center' });
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [row]);
}

function isWithin(top: number, pane: HTMLElement | null): boolean {
  const box = pane?.getBoundingClientRect();
  return box === undefined || (top >= box.top && top < box.bottom);
}
