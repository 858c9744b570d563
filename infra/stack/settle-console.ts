import { loginOrigins } from '../../lib/config/auth.ts';
import { commaSeparated } from '../../lib/config/values.ts';
import { pageHeaders } from '../local/page-headers.ts';
import type { Template } from './template.ts';

export interface ConsoleSettings {
  console: string;
  service: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_ORIGINS: string };
}

/**
 * How long browsers must use TLS: one year. A single host doesn't send this header, because it may not use
 * TLS.
 */
const TLS_SECONDS = 31_536_000;

/** Where large uploads go, through signed URLs; on a single host the service itself accepts them. */
const BUCKET = `https://\${Bucket}.s3.\${AWS::Region}.\${AWS::URLSuffix}`;

/** Adds the settings that the page determines to the console stack: its headers, and which URLs are files. */
export function settleConsole({ Resources }: Template, files: string[], settings: ConsoleSettings): void {
  const { ConsoleHeaders, ConsoleAddresses } = Resources;
  if (ConsoleHeaders === undefined || ConsoleAddresses === undefined)
    throw new Error('ConsoleHeaders or ConsoleAddresses is missing.');
  Object.assign(
    ConsoleHeaders.Properties.ResponseHeadersPolicyConfig,
    headersPolicy(pageHeaders(originsOf(settings))),
  );
  ConsoleAddresses.Properties.FunctionCode = addressFunction(files);
}

/** A page that lets users sign in also connects to their issuer. */
function originsOf({ service }: ConsoleSettings): string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client, OIDC_ORIGINS: others } = service;
  return issuer && client ? [BUCKET, ...loginOrigins(issuer, commaSeparated(others))] : [BUCKET];
}

/** CloudFront accepts some headers only as its own settings. */
function headersPolicy(headers: ReturnType<typeof pageHeaders>) {
  const {
    'content-security-policy': policy,
    'referrer-policy': ReferrerPolicy,
    'x-frame-options': FrameOption,
    'x-content-type-options': _,
    ...others
  } = headers;
  const Override = true;
  return {
    SecurityHeadersConfig: {
      ContentSecurityPolicy: { ContentSecurityPolicy: { 'Fn::Sub': policy }, Override },
      ReferrerPolicy: { ReferrerPolicy, Override },
      FrameOptions: { FrameOption, Override },
      ContentTypeOptions: { Override },
      StrictTransportSecurity: { AccessControlMaxAgeSec: TLS_SECONDS, Override },
    },
    CustomHeadersConfig: {
      Items: Object.entries(others).map(([Header, Value]) => ({ Header, Value, Override })),
    },
  };
}

/**
 * Returns a function that makes the same decisions as infra/local/page.ts, in JavaScript that CloudFront
 * supports (no destructuring, no modules).
 */
function addressFunction(files: string[]): string {
  const own = files.filter((file) => !file.startsWith('/assets/'));
  return `const FILES = ${JSON.stringify(own)};
function handler(event) {
  const request = event.request;
  if (!FILES.includes(request.uri)) request.uri = '/index.html';
  return request;
}
`;
}
