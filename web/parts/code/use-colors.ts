import { useEffect, useState } from 'react';
import type { Token } from './token.ts';

/** A longer text would hold up the page. */
const MAX_COLORED = 100_000;

/** The colored lines of a text of code that has not changed for `restMs`; undefined until they are there, and without a language. */
export function useColors(
  lines: readonly string[],
  language: string | undefined,
  restMs = 0,
): Token[][] | undefined {
  const [colored, setColored] = useState<{ of: readonly string[]; lines: Token[][] }>();
  useEffect(() => {
    if (language === undefined) return;
    const text = lines.join('\n');
    if (text.length > MAX_COLORED) return;
    let isGone = false;
    let end = () => {};
    const timer = setTimeout(() => {
      import('./color-apart.ts').then(
        ({ colorApart }) => {
          if (!isGone) end = colorApart(text, language, (done) => setColored({ of: lines, lines: done }));
        },
        () => {}, // without colors it is the same text
      );
    }, restMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
      end();
    };
  }, [lines, language, restMs]);
  return colored?.of === lines ? colored.lines : undefined;
}
