import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

const LOOKS = {
  main: 'bg-accent text-on-accent hover:opacity-90 px-3.5',
  plain: 'border border-line bg-surface hover:bg-sunken px-3.5',
  quiet: 'hover:bg-sunken aria-pressed:bg-sunken px-2.5',
  danger: 'border border-danger text-danger bg-surface hover:bg-danger-soft px-3.5',
} as const;

const BUTTON =
  'inline-flex min-h-9 items-center justify-center gap-2 rounded-md text-sm font-medium break-keep transition-colors disabled:opacity-50';

interface Props extends ComponentProps<'button'> {
  look?: keyof typeof LOOKS;
  icon?: IconName;
}

export function Button({ look = 'plain', icon, className = '', children, ...rest }: Props) {
  return (
    <button type="button" {...rest} className={`${BUTTON} ${LOOKS[look]} ${className}`}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

/** A link that starts something, like a button. */
export const LinkButton = createLink(
  ({ icon, children, ...rest }: ComponentProps<'a'> & { icon: IconName }) => (
    <a {...rest} className={`${BUTTON} ${LOOKS.main}`}>
      <Icon name={icon} size={16} />
      {children}
    </a>
  ),
);

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName;
  /** The name of the action, because there is no visible text. */
  label: string;
}

export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink disabled:opacity-50 ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}
