/** The heading of a page without its own, while it's being fetched, or after a failure. It's hidden next to another. */
export function FrameHeading({ title }: { title: string }) {
  return (
    <h1 data-user-content className="sr-only in-[main:has(h1~*_h1,h1~h1)]:hidden">
      {title}
    </h1>
  );
}
