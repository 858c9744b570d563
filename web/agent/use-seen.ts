import { type RefObject, useEffect, useState } from 'react';

/**
 * In milliseconds. Within this time, a key or click may be intended for the previous content, and doesn't
 * count.
 */
const SETTLE_MS = 800;

/**
 * Returns true once most of the element, or as much of it as fits into the window, has been visible for a
 * moment.
 */
export function useSeen(of: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const card = of.current;
    if (card === null || isSeen) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watching = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (entry?.isIntersecting) timer = setTimeout(() => setSeen(true), SETTLE_MS);
      },
      { threshold: 0.25 },
    );
    watching.observe(card);
    return () => {
      watching.disconnect();
      clearTimeout(timer);
    };
  }, [of, isSeen]);
  return isSeen;
}

/** Returns true a moment after the condition became true. */
export function useSettled(condition: boolean): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (!condition) return setSettled(false);
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [condition]);
  return isSettled;
}
