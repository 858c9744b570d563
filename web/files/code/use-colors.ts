import { useEffect, useState } from 'react';
import { languageOf } from './language-of.ts';
import type { Token } from './line-pieces.ts';

/** A longer text would hold up the page. */
const MAX_COLORED = 100_000;

/** The colored lines of a text of code; undefined until they are there, and for any other text. */
export function useColors(lines: readonly string[], path: string | undefined): Token[][] | undefined {
  const [colored, setColored] = useState<{ of: readonly string[]; lines: Token[][] }>();
  const language = languageOf(path ?? '');
  useEffect(() => {
    if (language === undefined) return;
    const text = lines.join('\n');
    if (text.length > MAX_COLORED) return;
    let isGone = false;
    let end = () => {};
    import('./color-apart.ts').then(
      ({ colorApart }) => {
        if (!isGone) end = colorApart(text, language, (done) => setColored({ of: lines, lines: done }));
      },
      () => {}, // without colors it is the same text
    );
    return () => {
      isGone = true;
      end();
    };
  }, [lines, language]);
  return colored?.of === lines ? colored.lines : undefined;
}
