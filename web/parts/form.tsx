import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';
import { Problem } from './problem.tsx';

interface Props {
  onSend: () => void;
  /** The state of the request. It isn't sent twice at the same time, and if it fails, the form shows why. */
  sending?: { error: Error | null; isPending: boolean };
  /** True if the form can be sent. */
  isWhole?: boolean;
  /**
   * The label of the submit button. Without it, the form renders only its children, one of which must be a
   * button.
   */
  action?: string;
  icon?: IconName;
  onCancel?: () => void;
  /** Replaces the error above the buttons, for a form with a more detailed error, or with another place for it. */
  problem?: ReactNode;
  className?: string;
  /**
   * The fields. The browser focuses the first one that is missing or invalid, judging by `required`, `min`,
   * and so on.
   */
  children: ReactNode;
}

export function Form(props: Props) {
  const { onSend, sending, isWhole = true, action, className = 'space-y-4', children } = props;
  const { problem = <Problem error={sending?.error} /> } = props;
  const canSend = isWhole && !sending?.isPending;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation(); // a dialog's form may be within the components of another form
        if (canSend) onSend();
      }}
      className={className}
    >
      {children}
      {action !== undefined && problem}
      {action !== undefined && <Buttons {...props} canSend={canSend} />}
    </form>
  );
}

/** The buttons at the end of a dialog or a page, or a single button below the fields. */
function Buttons({ action, icon, onCancel, canSend }: Props & { canSend: boolean }) {
  const { t } = useTranslation();
  const send = (
    <Button look="main" {...(icon && { icon })} type="submit" disabled={!canSend}>
      {action}
    </Button>
  );
  if (onCancel === undefined) return send;
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onCancel}>{t('parts.cancel')}</Button>
      {send}
    </div>
  );
}

interface DialogProps extends Omit<Props, 'onCancel'> {
  title: string;
  onClose: () => void;
}

export function FormDialog({ title, onClose, ...form }: DialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} onCancel={onClose} />
    </Dialog>
  );
}
