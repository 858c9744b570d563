import { useEffect, useState } from 'react';
import { languageOf } from './language-of.ts';
import type { Token } from './line-pieces.ts';

/** A longer text would take long to draw. */
const MAX_COLOURED = 100_000;

/** The coloured lines of a text of code; undefined until they are there, and for any other text. */
export function useColours(lines: readonly string[], path: string | undefined): Token[][] | undefined {
  const [coloured, setColoured] = useState<{ of: readonly string[]; lines: Token[][] }>();
  const language = languageOf(path ?? '');
  useEffect(() => {
    if (language === undefined) return;
    const text = lines.join('\n');
    if (text.length > MAX_COLOURED) return;
    let isGone = false;
    let end = () => {};
    import('./colour-apart.ts').then(
      ({ colourApart }) => {
        if (!isGone) end = colourApart(text, language, (done) => setColoured({ of: lines, lines: done }));
      },
      () => {}, // without colors it is the same text
    );
    return () => {
      isGone = true;
      end();
    };
  }, [lines, language]);
  return coloured?.of === lines ? coloured.lines : undefined;
}
