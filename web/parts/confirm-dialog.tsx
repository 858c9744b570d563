import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface Props {
  title: string;
  /** Says which data is deleted, and which is kept. */
  note: string;
  /** An additional choice. */
  children?: ReactNode;
  /** The label of the confirm button. */
  action: string;
  doing: { error: Error | null; isPending: boolean };
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before something is deleted. */
export function ConfirmDialog({ title, note, children, action, doing, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="text-sm text-muted">{note}</p>
      {children}
      {doing.error && (
        <div className="mt-4">
          <Problem error={doing.error} />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t('parts.cancel')}</Button>
        <Button look="danger" disabled={doing.isPending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
