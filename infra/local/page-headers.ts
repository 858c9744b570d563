/**
 * The headers of the console's page, on a single host and from CloudFront (infra/stack/settle-console.ts). Scripts and
 * styles are files of this origin only: nothing inline, no eval, and no HTML strings in the DOM (Trusted Types). React
 * sets styles through the DOM, which needs no exception. `blob:` is for files fetched with the caller's credential:
 * images, and HTML pages in a fully sandboxed frame. The Trusted Types policies let the PDF reader and the code
 * highlighter start their workers, which are our own files.
 */
const policyOf = (origins: string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...origins].join(' '),
    "worker-src 'self'",
    'frame-src blob:',
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types pdf-worker code-worker',
  ].join('; ');

const NOT_USED = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];

/** `origins` are the issuer's, from which the page requests its credential. */
export const pageHeaders = (origins: string[] = []) => ({
  'content-security-policy': policyOf(origins),
  'x-content-type-options': 'nosniff',
  // Tells the service which page sends a GET, so that a proxy on an open host is noticed at once. Other sites
  // don't get this.
  'referrer-policy': 'same-origin',
  // Prevents the browser from resolving host names in answers and untrusted files, because that would tell
  // those hosts' DNS servers that someone reads them.
  'x-dns-prefetch-control': 'off',
  'permissions-policy': NOT_USED.map((feature) => `${feature}=()`).join(', '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
});
