/**
 * The headers of the console's page, on a single host and from CloudFront (infra/stack/settle-console.ts). Scripts and styles
 * are files of this origin only: nothing inline, no eval, and nothing reaches the DOM as a string of HTML (Trusted Types).
 * React sets styles through the DOM, which needs no exception. `blob:` is for files fetched with the caller's credential:
 * images, and HTML pages in a fully sandboxed frame. The Trusted Types policies let the PDF reader and the highlighter of
 * code start their workers, files of ours.
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

/** `origins`: those of the issuer, which the page asks for its credential. */
export const pageHeaders = (origins: string[] = []) => ({
  'content-security-policy': policyOf(origins),
  'x-content-type-options': 'nosniff',
  // The service hears which page sends a GET, so that a proxy on an open host is noticed at once; other sites hear nothing.
  'referrer-policy': 'same-origin',
  // Names in answers and in files that others wrote aren't looked up, which would tell their servers that they are read.
  'x-dns-prefetch-control': 'off',
  'permissions-policy': NOT_USED.map((feature) => `${feature}=()`).join(', '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
});
