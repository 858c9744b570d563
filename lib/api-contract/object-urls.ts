/** The path below which a single host accepts signed PUTs of uploads. */
export const OBJECTS_PATH = '/objects/';

/**
 * Returns a signed URL in the form that a page of the service can request. A single host's own URL loses its
 * origin, because the page may have another one, such as that of a proxy or a forwarded port. A bucket's URL
 * stays unchanged.
 */
export function fromOwnPage(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname.startsWith(OBJECTS_PATH) ? pathname + search : url;
}
