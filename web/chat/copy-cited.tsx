import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchPart } from '../api/fetch-part.ts';
import { IconButton } from '../parts/button.tsx';
import type { CitedAnswer } from './cited-items.ts';

const CopyCitedDialog = lazy(async () => ({
  default: (await fetchPart(() => import('./copy-cited-dialog.tsx'))).CopyCitedDialog,
}));

/** Opens the choice of a citation style for a copy with keys and a bibliography. Absent without sources. */
export function CopyCited(answer: CitedAnswer) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (answer.citations.length === 0) return null;
  return (
    <>
      <IconButton icon="paper" label={t('chat.cited.copy')} onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <CopyCitedDialog {...answer} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
