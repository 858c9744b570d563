/**
 * What a browser is told of the console's page, on one machine and by CloudFront (infra/stack/settle-console.ts). Scripts and
 * styles are files of this origin alone: nothing inline, no eval, and nothing reaches the DOM as a string of HTML (Trusted Types).
 * React sets styles through the DOM, which needs no exception. `blob:` are files that were fetched with the caller's
 * credential: pictures, and pages of HTML in a frame that may do nothing. The one policy of Trusted Types lets the reader of
 * PDFs start its worker, a file of ours.
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
    'trusted-types pdf-worker',
  ].join('; ');

const NOT_USED = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];

/** `origins`: those of the issuer, whom the page asks for its credential. */
export const pageHeaders = (origins: string[] = []) => ({
  'content-security-policy': policyOf(origins),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': NOT_USED.map((feature) => `${feature}=()`).join(', '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
});
