import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  side?: 'middle' | 'left';
}

const PLACES = {
  middle: 'm-auto w-[min(34rem,calc(100vw-2rem))] rounded-lg',
  left: 'mr-auto h-dvh max-h-none w-[min(19rem,86vw)]',
};

/**
 * Selectors of the element that gets the focus instead of the close button. In a menu, focusing a text box
 * would open a phone's keyboard over it.
 */
const FIRST = { middle: 'input:not([readonly]), select, textarea', left: '[aria-current=page]' };

/**
 * A dialog based on the browser's own, which keeps the focus, makes the rest inert, and closes with Escape. Radix's
 * dialog would add a <style> to the page to stop its scrolling, which the content security policy refuses.
 */
export function Dialog({ title, onClose, children, side = 'middle' }: Props) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>(FIRST[side])?.focus();
  }, [side]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      className={`border border-line bg-surface p-0 shadow-raised ${PLACES[side]}`}
    >
      <header className="flex items-center justify-between gap-3 px-5 pt-4 pb-2">
        <h2 id={heading} className="text-base font-semibold">
          {title}
        </h2>
        <IconButton icon="close" label={t('parts.close')} onClick={() => dialog.current?.close()} />
      </header>
      <div className="px-5 pb-5">{children}</div>
    </dialog>
  );
}
