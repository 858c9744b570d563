import { type ReactNode, useMemo } from 'react';
import { readFormula } from './read-formula.ts';

interface Props {
  tex: string;
  isBlock: boolean;
  /** Shown for a formula with a mistake. */
  source: ReactNode;
}

/** A file of its own, because KaTeX is fetched with it, by the first formula. */
export function DrawnFormula({ tex, isBlock, source }: Props) {
  const drawn = useMemo(() => readFormula(tex, isBlock), [tex, isBlock]);
  return drawn ?? source;
}
