import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'div'> {
  label: string;
}

/**
 * A scrolling region that the keyboard can reach and scroll, because it can take the focus and has a name. A
 * page can have many.
 */
export function ScrollRegion({ label, ...rest }: Props) {
  // biome-ignore lint/a11y: what scrolls must be reachable, and is no landmark
  return <div {...rest} role="group" tabIndex={0} aria-label={label} />;
}
