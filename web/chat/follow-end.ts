import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';

const NEAR_PX = 48;

/**
 * The attribute of content that halts following until it is gone, such as a call that waits for an answer.
 */
export const HALT = 'data-halt';
/** The space above such content. */
const HALT_PX = 16;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True for a transcript that should be read from its start. */
    isFromStart?: boolean;
  }
}

/**
 * The only owner of a transcript's scrolling. It stays at the growing end until the person scrolls up, and
 * follows again once they are back at the end. New content that halts following is shown once from its start;
 * then the person scrolls. `arm` is for a question that was just sent, `release` for content to be read from
 * its start.
 */
export function useFollowEnd() {
  const isFromStart = useLocation({ select: ({ state }) => state.isFromStart === true });
  const pane = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(!isFromStart);
  /** True once the person has scrolled. Content that becomes shorter scrolls up too. */
  const moves = useRef(false);
  useEffect(() => {
    const box = pane.current;
    const inner = content.current;
    if (box === null || inner === null) return;
    let halt: Element | null = null;
    const toEnd = () => {
      const halted = halt;
      halt = inner.querySelector(`[${HALT}]`);
      if (!follows.current) return;
      if (halt === null) box.scrollTop = box.scrollHeight;
      else if (halt !== halted)
        box.scrollTop += halt.getBoundingClientRect().top - box.getBoundingClientRect().top - HALT_PX;
    };
    let before = box.scrollTop;
    const look = () => {
      const isUp = box.scrollTop < before - 1;
      before = box.scrollTop;
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      if (isNear) follows.current = true;
      else if (isUp && moves.current) follows.current = false;
      if (isNear) moves.current = false;
    };
    const endWatch = watchMoves(box, moves);
    const sizes = new ResizeObserver(toEnd);
    sizes.observe(inner);
    sizes.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    toEnd();
    return () => {
      sizes.disconnect();
      endWatch();
      box.removeEventListener('scroll', look);
    };
  }, []);
  const arm = () => {
    follows.current = true;
    moves.current = false;
  };
  const release = useCallback(() => {
    follows.current = false;
  }, []);
  return { pane, content, arm, release };
}

const SCROLL_KEYS = new Set(['ArrowUp', 'PageUp', 'Home', ' ', 'Tab', 'F3']);

/**
 * Records how a person scrolls: by the wheel, a finger, the scroll bar, or a key, even in the browser's
 * search.
 */
function watchMoves(box: HTMLElement, moves: { current: boolean }): () => void {
  const ended = new AbortController();
  const on = { passive: true, signal: ended.signal };
  const move = () => {
    moves.current = true;
  };
  for (const type of ['wheel', 'touchmove', 'pointerdown']) box.addEventListener(type, move, on);
  addEventListener('pointerup', () => (moves.current = false), on);
  addEventListener(
    'keydown',
    ({ key, ctrlKey, metaKey }) => (SCROLL_KEYS.has(key) || ctrlKey || metaKey) && move(),
    on,
  );
  return () => ended.abort();
}
