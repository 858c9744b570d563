/**
 * What a browser is told of the console's page, on one machine and by CloudFront (infra/stack/settle-console.ts). Scripts and styles are files of this origin alone: nothing inline, no eval, and
 * nothing reaches the DOM as a string of HTML (Trusted Types, with no policy). React sets styles through the DOM, which
 * needs no exception. `blob:` are pictures of files that were fetched with the caller's credential. `connect` are origins that the page asks besides its own.
 */
export function pageHeaders(connect: string[] = []) {
  return { ...HEADERS, 'content-security-policy': policyWith(connect) };
}

function policyWith(connect: string[]): string {
  return POLICY.map((rule) => (rule.startsWith('connect-src') ? [rule, ...connect].join(' ') : rule)).join(
    '; ',
  );
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

const NOT_USED = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': NOT_USED.map((feature) => `${feature}=()`).join(', '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};
