import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchPart } from '../api/fetch-part.ts';
import { IconButton } from '../parts/button.tsx';

const DetailsDialog = lazy(async () => ({
  default: (await fetchPart(() => import('./details-dialog.tsx'))).DetailsDialog,
}));

interface Props {
  workspaceId: string;
  path: string;
  /** True for a link among others; otherwise an icon. */
  isLink?: boolean;
}

/** Opens the title, authors, and other facts of a document. */
export function DocumentDetails({ workspaceId, path, isLink = false }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  return (
    <>
      {isLink ? (
        <button type="button" onClick={open} className="text-accent underline">
          {t('documents.details')}
        </button>
      ) : (
        <IconButton icon="info" label={t('documents.details')} onClick={open} />
      )}
      {isOpen && (
        <Suspense>
          <DetailsDialog workspaceId={workspaceId} path={path} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
