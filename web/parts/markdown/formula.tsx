import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchPart } from '../../api/fetch-part.ts';
import { ScrollRegion } from '../scroll-region.tsx';
import type { FormulaToken } from './find-formula.ts';

const DrawnFormula = lazy(async () => ({
  default: (await fetchPart(() => import('./drawn-formula.tsx'))).DrawnFormula,
}));

/** A formula as MathML. Until KaTeX is loaded, and for an invalid formula, shows the source. */
export function Formula({ token }: { token: FormulaToken }) {
  const { t } = useTranslation();
  const { raw, tex, isBlock, isOpen } = token;
  const source = <code className="whitespace-pre-wrap">{raw.trim()}</code>;
  const drawn = isOpen ? (
    source
  ) : (
    <Suspense fallback={source}>
      <DrawnFormula tex={tex} isBlock={isBlock || raw.startsWith('$$')} source={source} />
    </Suspense>
  );
  if (!isBlock) return <bdi dir="ltr">{drawn}</bdi>;
  return (
    <ScrollRegion dir="ltr" label={t('parts.formula')} className="overflow-x-auto overflow-y-hidden py-1">
      {drawn}
    </ScrollRegion>
  );
}
