import { useEffect, useState } from 'react';
import type { Token } from './token.ts';

/** Maximum characters. A longer text would block the page. */
const MAX_COLORED = 100_000;

/**
 * Returns the colored lines of code that hasn't changed for `restMs` milliseconds. Undefined until they are
 * ready, and if there is no language.
 */
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
        () => {}, // without colors, the text is the same
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
