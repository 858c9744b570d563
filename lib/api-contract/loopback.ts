/**
 * Returns whether a host name, as in a URL, means loopback, which only programs on the same host can reach.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** Does the same for a URL. Throws TypeError for an invalid one. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}
