const INSIDE = /^(localhost|.*\.local|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[.*\])$/;

/** Returns whether a platform on the internet could reach this page's URL. */
export function isReachable(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && !INSIDE.test(hostname);
}
