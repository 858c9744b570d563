import { useEffect, useRef } from 'react';
import { keepUnsent, type UnsentChat, type UnsentPlace, unsentQuestion } from './unsent.ts';

/** Keeps an unsent question when the view, or the page, is left. */
export function useKeptUnsent(place: UnsentPlace, chat: UnsentChat): void {
  const latest = useRef({ place, question: unsentQuestion(chat) });
  latest.current = { place, question: unsentQuestion(chat) };
  useEffect(() => {
    const keep = () => {
      const { place, question } = latest.current;
      if (question !== undefined) keepUnsent(place, question);
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
}
