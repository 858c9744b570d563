import { webAddress } from './markdown/inline-text.ts';

/** A link to an address that others wrote: it says where it leads. What is no address of the web stays text. */
export function OutwardLink({ href, text }: { href: string; text: string }) {
  const address = webAddress(href);
  if (address === undefined) return <span>{href}</span>;
  return (
    <a
      href={address.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent underline"
    >
      {text} ({address.host})
    </a>
  );
}
