import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

interface Props {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** The rest of a long list, page by page. */
export function MoreButton({ list }: Props) {
  const { t } = useTranslation();
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-4 text-center">
      <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {t('parts.more')}
      </Button>
    </div>
  );
}
