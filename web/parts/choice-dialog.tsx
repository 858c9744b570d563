import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

interface Props {
  /** The current choice, shown on the button. */
  said: string;
  title: string;
  note: string;
  /** The choice; gets the button that closes the dialog, and what closes it. */
  children: (done: ReactNode, close: () => void) => ReactNode;
}

/** A button that shows what a question is about, and opens the dialog in which that is chosen. */
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
      {isOpen &&
        // Outside the form of the text box that the button may be in, because a form can't contain another.
        createPortal(
          <Dialog title={title} onClose={close}>
            <p className="pb-2 text-sm text-muted">{note}</p>
            {children(
              <Button look="main" onClick={close}>
                {t('parts.done')}
              </Button>,
              close,
            )}
          </Dialog>,
          document.body,
        )}
    </>
  );
}

interface ChosenProps {
  label: string;
  chosen: readonly { id: string; name: string }[];
  onRemove: (id: string) => void;
}

/** The chosen items, above the text, each with a button that removes it. */
export function ChosenList({ label, chosen, onRemove }: ChosenProps) {
  const { t } = useTranslation();
  if (chosen.length === 0) return null;
  return (
    <ul aria-label={label} className="flex max-h-24 flex-wrap gap-2 overflow-y-auto pb-2">
      {chosen.map(({ id, name }) => (
        <li
          key={id}
          className="flex max-w-full items-center gap-1.5 rounded-md bg-accent-soft pl-2.5 text-sm text-accent"
        >
          <span data-user-content className="truncate">
            {name}
          </span>
          <IconButton icon="close" label={t('parts.removeOne', { name })} onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  );
}
