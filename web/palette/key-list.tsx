import { useTranslation } from 'react-i18next';
import { Dialog } from '../parts/dialog.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { KEYS, type KeyName, keyLabel } from '../parts/pressed-key.ts';

export function KeyList({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const names = Object.keys(KEYS) as KeyName[];
  return (
    <Dialog title={t('palette.keyList')} onClose={onClose}>
      <FactList
        facts={names.map((name) => [
          t(`palette.key.${name}`),
          <kbd key={name} className="rounded-sm border border-line bg-sunken px-1.5 font-sans">
            {keyLabel(name)}
          </kbd>,
        ])}
      />
    </Dialog>
  );
}
