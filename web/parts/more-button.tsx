import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

interface Props {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** A button that loads the next page of a list, if there is one. */
export function MoreButton({ list }: Props) {
  const { t } = useTranslation();
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-4 flex justify-center">
      <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {t('parts.more')}
      </Button>
    </div>
  );
}
