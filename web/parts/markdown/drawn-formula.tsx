import { type ReactNode, useMemo } from 'react';
import { readFormula } from './read-formula.ts';

interface Props {
  tex: string;
  isBlock: boolean;
  /** Shown for an invalid formula. */
  source: ReactNode;
}

/** A rendered formula. In a separate file, because KaTeX is fetched with it for the first formula. */
export function DrawnFormula({ tex, isBlock, source }: Props) {
  const drawn = useMemo(() => readFormula(tex, isBlock), [tex, isBlock]);
  return drawn ?? source;
}
