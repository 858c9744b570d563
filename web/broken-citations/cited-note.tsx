import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { useCitationCount } from './queries.ts';

interface Props {
  workspaceId: string;
  path: string;
  /** What becomes of the citations. */
  fate: 'broken.wouldBreak' | 'broken.wouldMove';
}

/** Says how many citations hang on a file or folder; nothing if none do. */
export function CitedNote({ workspaceId, path, fate }: Props) {
  const { t } = useTranslation();
  const { citations = 0, documents = 0, isWhole = true } = useCitationCount(workspaceId, path) ?? {};
  const more = isWhole ? '' : '+';
  return (
    <div role="status" className="my-3 empty:hidden">
      {citations > 0 && (
        <Banner look="warn">
          {t('broken.cited', {
            count: citations,
            citations: `${citations}${more}`,
            documents: `${documents}${more}`,
          })}{' '}
          {t(fate)}
        </Banner>
      )}
    </div>
  );
}
