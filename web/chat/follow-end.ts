import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';

const NEAR_PX = 48;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True for a transcript that is read from its start. */
    isFromStart?: boolean;
  }
}

/**
 * The only owner of a transcript's scrolling. It stays at the growing end until the person scrolls up, and follows
 * again once back at the end. `arm` is for a question that was just sent, `release` for content that is read from its
 * start.
 */
export function useFollowEnd() {
  const isFromStart = useLocation({ select: ({ state }) => state.isFromStart === true });
  const pane = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(!isFromStart);
  useEffect(() => {
    const box = pane.current;
    const inner = content.current;
    if (box === null || inner === null) return;
    const toEnd = () => {
      if (follows.current) box.scrollTop = box.scrollHeight;
    };
    let before = box.scrollTop;
    const look = () => {
      const isUp = box.scrollTop < before - 1;
      before = box.scrollTop;
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      if (isNear) follows.current = true;
      else if (isUp) follows.current = false;
    };
    const sizes = new ResizeObserver(toEnd);
    sizes.observe(inner);
    sizes.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    toEnd();
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);
  const arm = () => {
    follows.current = true;
  };
  const release = useCallback(() => {
    follows.current = false;
  }, []);
  return { pane, content, arm, release };
}
