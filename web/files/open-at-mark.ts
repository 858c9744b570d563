import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';

/**
 * Number of frames without movement after which the pane counts as still, because the virtualizer measures
 * rows, and moves them.
 */
const STILL_FRAMES = 4;
const MOST_FRAMES = 300;

/**
 * Opens a list at a row, once per row, and at the mark in it, because a row may be higher than its pane. If
 * the row is beyond the end of a list that isn't measured yet, the virtualizer stops trying, so this calls it
 * again.
 */
export function useOpenAtMark(
  pane: RefObject<HTMLElement | null>,
  rows: Virtualizer<HTMLDivElement, Element>,
  row: number | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each row
  useEffect(() => {
    if (row === undefined) return;
    const go = () => rows.scrollToIndex(row, { align: 'center' });
    go();
    return whenStill(pane, () => {
      if (showRow(pane.current, row)) return true;
      go();
      return false;
    });
  }, [row]);
}

/**
 * Runs `call` each time the pane has stopped moving, until `call` returns true. Returns a function that
 * cancels this.
 */
function whenStill(pane: RefObject<HTMLElement | null>, call: () => boolean): () => void {
  let [frame, frames, still, before] = [0, 0, 0, Number.NaN];
  const look = () => {
    const at = pane.current?.scrollTop ?? Number.NaN;
    still = at === before ? still + 1 : 0;
    before = at;
    if (still === STILL_FRAMES) {
      if (call()) return;
      still = 0;
    }
    if (frames++ < MOST_FRAMES) frame = requestAnimationFrame(look);
  };
  look();
  return () => cancelAnimationFrame(frame);
}

/** Scrolls to a row. Returns false if the row isn't rendered. */
function showRow(pane: HTMLElement | null, row: number): boolean {
  const drawn = pane?.querySelector(`[data-index="${row}"]`);
  if (!pane || !drawn) return false;
  const target = drawn.querySelector('mark') ?? drawn;
  const [{ top }, box] = [target.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (top < box.top || top >= box.bottom) target.scrollIntoView({ block: 'center' });
  return true;
}
