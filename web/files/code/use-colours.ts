import { useEffect, useState } from 'react';
import { languageOf } from './language-of.ts';
import type { Token } from './line-pieces.ts';

/** A longer text would hold up the page. */
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
    import('./colour.ts').then(
      ({ colourLines }) => isGone || setColoured({ of: lines, lines: colourLines(text, language) }),
      () => {}, // without colours it is the same text
    );
    return () => {
      isGone = true;
    };
  }, [lines, language]);
  return coloured?.of === lines ? coloured.lines : undefined;
}
