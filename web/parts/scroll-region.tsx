import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'section'> {
  label: string;
}

/** What scrolls can be reached, and scrolled, by the keyboard: it takes the focus, and has a name. */
export function ScrollRegion({ label, ...rest }: Props) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
  return <section {...rest} tabIndex={0} aria-label={label} />;
}
