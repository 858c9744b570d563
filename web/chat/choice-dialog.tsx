import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';

interface Props {
  /** What is chosen now, on the button. */
  said: string;
  title: string;
  note: string;
  /** The choice; gets the button that closes the dialog. */
  children: (done: ReactNode) => ReactNode;
}

/** A button that says what a question is about, and opens the dialog to choose it. */
export function ChoiceDialog({ said, title, note, children }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button look="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {said}
        <Icon name="down" size={14} />
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <p className="pb-2 text-sm text-muted">{note}</p>
          {children(
            <Button look="main" onClick={close}>
              {t('chat.scope.done')}
            </Button>,
          )}
        </Dialog>
      )}
    </>
  );
}
