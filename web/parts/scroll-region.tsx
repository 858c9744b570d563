import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'div'> {
  label: string;
}

/** What scrolls can be reached, and scrolled, by the keyboard: it takes the focus, and has a name. A page may have many. */
export function ScrollRegion({ label, ...rest }: Props) {
  // biome-ignore lint/a11y: what scrolls must be reachable, and is no landmark
  return <div {...rest} role="group" tabIndex={0} aria-label={label} />;
}
