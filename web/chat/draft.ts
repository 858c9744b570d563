import { useCallback, useState } from 'react';

/** What is typed and not sent: kept for this tab, over reloads, by what it is for. */
export function useDraft(name: string): [string, (text: string) => void] {
  const key = `draft:${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const change = useCallback(
    (next: string) => {
      setText(next);
      if (next === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
    },
    [key],
  );
  return [text, change];
}
