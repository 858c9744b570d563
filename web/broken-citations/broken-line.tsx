import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { useBrokenCitations } from './queries.ts';

/** Says how many citations no longer hold; nothing if all do. */
export function BrokenLine({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const list = useBrokenCitations(workspaceId);
  const count = list.data?.length ?? 0;
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
        {t(list.hasNextPage ? 'broken.more' : 'broken.count', { count })}
      </Banner>
    </div>
  );
}
