import { useVirtualizer } from '@tanstack/react-virtual';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Mark } from '../quote-marks.ts';

export interface Opened {
  pdf: PDFDocumentProxy;
  /**
   * The width of the page that is shown first. Other pages are assumed to have the same width until they are
   * visible.
   */
  width: number;
  height: number;
}

/**
 * A position that stays visible while page sizes arrive: the top of a page, or a position on it, no lower than the
 * middle of the pane.
 */
interface Anchor {
  page: number;
  /** Distance from the top of the page, in the page's units. */
  y?: number;
}

export const GAP_PX = 12;
/** Maximum scale for fitting a page, so that small pages aren't enlarged to the pane's width. */
const MAX_FIT = 1.6;
/** Events by which a person navigates. */
const OWN_WAYS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Lays out the pages of a PDF at a zoom level, at most as wide as the pane. Starts at its mark's page, whose
 * quote `showMark` makes visible. The target of a jump stays in place until the person scrolls, because sizes
 * arrive late, and each of them moves the pages below.
 */
export function usePages({ pdf, width, height }: Opened, zoom: number, mark: Mark | undefined) {
  const pane = useRef<HTMLDivElement>(null);
  const paneWidth = usePaneWidth(pane);
  const isReady = paneWidth > 0;
  const scale = Math.min(MAX_FIT, Math.max(0.2, (paneWidth - 2 * GAP_PX) / width)) * zoom;
  const rows = useVirtualizer({
    count: pdf.numPages,
    getScrollElement: () => pane.current,
    estimateSize: () => height * scale + GAP_PX,
    overscan: 1,
    enabled: isReady,
  });
  const first = Math.min(mark?.page ?? 1, pdf.numPages);
  const [anchor, setAnchor] = useState<Anchor>();
  const offset = rows.scrollOffset ?? 0;
  const middle = offset + (pane.current?.clientHeight ?? 0) / 2;
  const page = offset > 0 ? (rows.getVirtualItemForOffset(middle)?.index ?? 0) + 1 : 1;
  const shown = useRef(first);
  useEffect(() => {
    if (offset > 0) shown.current = page;
  }, [offset, page]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for another quote of the same page
  useLayoutEffect(() => setAnchor({ page: first }), [first, mark?.quote]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the size of all pages changes
  useLayoutEffect(() => {
    if (!isReady) return;
    rows.measure();
    setAnchor((held) => held ?? { page: shown.current });
  }, [scale, isReady]);
  useOwnWays(pane, () => setAnchor(undefined));
  const total = rows.getTotalSize();
  const start = anchor && rows.measurementsCache[anchor.page - 1]?.start;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages below limit how far it can be scrolled
  useLayoutEffect(() => {
    if (pane.current === null || anchor === undefined || start === undefined) return;
    const { y = 0 } = anchor;
    // For a position near the top, the page is shown from its top, without the previous page.
    pane.current.scrollTop = start + Math.max(0, GAP_PX + y * scale - pane.current.clientHeight / 2);
  }, [anchor, start, scale, total]);
  const showMark = (y: number) => setAnchor((held) => (held?.page === first ? { page: first, y } : held));
  const goTo = (wanted: number) => setAnchor({ page: wanted });
  return { pane, rows, scale, page, first, goTo, showMark, items: isReady ? rows.getVirtualItems() : [] };
}

function useOwnWays(pane: RefObject<HTMLElement | null>, onOwnWay: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it says the same each time
  useEffect(() => {
    const element = pane.current;
    for (const way of OWN_WAYS) element?.addEventListener(way, onOwnWay, { passive: true });
    return () => {
      for (const way of OWN_WAYS) element?.removeEventListener(way, onOwnWay);
    };
  }, [pane]);
}

/** Returns the inner width in pixels; 0 until it is known. */
function usePaneWidth(pane: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (pane.current === null) return;
    const watching = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watching.observe(pane.current);
    return () => watching.disconnect();
  }, [pane]);
  return width;
}
