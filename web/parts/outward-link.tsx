import { webAddress } from './markdown/inline-text.ts';

/** A link to an untrusted URL. It shows its target. Anything but a web URL stays text. */
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
