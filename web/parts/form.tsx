import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { Problem } from './problem.tsx';

interface Props {
  onSend: () => void;
  /** What is sent: not twice at once, and if it fails, the form says why. */
  sending?: { error: Error | null; isPending: boolean };
  /** Whether it can be sent. */
  isWhole?: boolean;
  /** The word on the button that sends it. */
  action?: string | undefined;
  icon?: IconName | undefined;
  onCancel?: (() => void) | undefined;
  /** Replaces the error above the buttons, for a form that says more of it, or elsewhere. */
  problem?: ReactNode;
  /** Replaces the buttons: one is of the type `submit`. */
  buttons?: ReactNode;
  className?: string;
  /** The fields. The browser focuses the first that is missing or wrong, by their `required`, `min`, and so on. */
  children: ReactNode;
}

export function Form({ onSend, sending, isWhole = true, className = 'space-y-4', children, ...rest }: Props) {
  const canSend = isWhole && !sending?.isPending;
  const { problem = <Problem error={sending?.error} />, buttons = <Buttons {...rest} canSend={canSend} /> } =
    rest;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
      className={className}
    >
      {children}
      {problem}
      {buttons}
    </form>
  );
}

interface ButtonsProps extends Pick<Props, 'action' | 'icon' | 'onCancel'> {
  canSend: boolean;
}

/** At the end of a dialog or a page, or a single one below the fields. */
function Buttons({ action, icon, onCancel, canSend }: ButtonsProps) {
  const { t } = useTranslation();
  const send = (
    <Button look="main" icon={icon} type="submit" disabled={!canSend}>
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
