import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { pressedKey } from '../parts/pressed-key.ts';

const KEPT = 'source-width';
/** The default width in percent of the page. */
const USUAL = 44;
const MIN = 25;
const MAX = 70;
const STEP = 3;

/** Returns the width of the source next to its text, in percent, stored in this browser. */
export function usePaneWidth() {
  const [width, setWidth] = useState(readKept);
  const change = (wanted: number) => setWidth(limit(wanted));
  const keep = (wanted: number) => {
    change(wanted);
    localStorage.setItem(KEPT, String(limit(wanted)));
  };
  return { width, change, keep };
}

function readKept(): number {
  const kept = Number(localStorage.getItem(KEPT) ?? USUAL);
  return Number.isFinite(kept) ? limit(kept) : USUAL;
}

function limit(wanted: number): number {
  return Math.min(MAX, Math.max(MIN, Math.round(wanted)));
}

interface Props extends ReturnType<typeof usePaneWidth> {
  label: string;
}

/** The left edge of a pane, which can be dragged, or moved with the arrow keys. */
export function PaneHandle({ width, change, keep, label }: Props) {
  const drag = (event: PointerEvent, take: (wanted: number) => void) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const page = event.currentTarget.parentElement?.parentElement?.getBoundingClientRect();
    if (page) take(((page.right - event.clientX) / page.width) * 100);
  };
  const press = (event: KeyboardEvent) => {
    const widths = { ArrowLeft: width + STEP, ArrowRight: width - STEP, Home: MIN, End: MAX };
    const wanted = new Map(Object.entries(widths)).get(pressedKey(event));
    if (wanted === undefined) return;
    event.preventDefault();
    keep(wanted);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't take the focus
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      title={label}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => drag(event, change)}
      onPointerUp={(event) => drag(event, keep)}
      className="absolute inset-y-0 -left-1 z-10 hidden w-2 cursor-col-resize touch-none hover:bg-accent/40 focus-visible:bg-accent/40 lg:block"
    />
  );
}
