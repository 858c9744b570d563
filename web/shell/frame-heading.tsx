/** The heading for a page that has none, because it's being fetched or failed. Hidden next to another heading. */
export function FrameHeading({ title }: { title: string }) {
  return (
    <h1 data-user-content className="sr-only in-[main:has(h1~*_h1,h1~h1)]:hidden">
      {title}
    </h1>
  );
}
