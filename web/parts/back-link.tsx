import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';

function Anchor({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} className="mb-2 inline-flex min-h-9 items-center gap-1.5 text-sm text-muted hover:text-ink">
      <Icon name="back" size={16} />
      {children}
    </a>
  );
}

/** A link from an item to its list. */
export const BackLink: LinkComponent<typeof Anchor> = createLink(Anchor);
