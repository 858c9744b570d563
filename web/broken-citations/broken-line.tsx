import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { type BrokenCitation, useBrokenCitations } from './queries.ts';

interface Props {
  workspaceId: string;
  /** Selects the citations of a document. By default, all citations of the workspace count. */
  isDocument?: (document: BrokenCitation['document']) => boolean;
}

/** Shows how many citations are broken; nothing if none are. */
export function BrokenLine({ workspaceId, isDocument }: Props) {
  const { t } = useTranslation();
  const list = useBrokenCitations(workspaceId);
  const broken = list.data ?? [];
  const count = isDocument ? broken.filter(({ document }) => isDocument(document)).length : broken.length;
  if (count === 0) return null;
  return (
    <div className="my-4">
      <Banner
        look="warn"
        action={
          <Link to="/w/$workspaceId/broken" params={{ workspaceId }} className="font-medium underline">
            {t('broken.see')}
          </Link>
        }
      >
        {t(isDocument ? 'broken.here' : list.hasNextPage ? 'broken.more' : 'broken.count', { count })}
      </Banner>
    </div>
  );
}
