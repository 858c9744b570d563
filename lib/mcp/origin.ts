import { Forbidden } from '../errors.ts';

/**
 * A request that a page in a browser sends has an Origin: only the service's own pages and those of CORS_ORIGINS may ask
 * (the protocol's guard against rebinding of names). Throws Forbidden. What is no page has none.
 */
export function requireOwnOrigin(
  origin: string | undefined,
  { publicUrl, corsOrigins }: { publicUrl: string | undefined; corsOrigins: string[] },
): void {
  if (origin === undefined || corsOrigins.includes(origin)) return;
  if (publicUrl !== undefined && URL.canParse(publicUrl) && new URL(publicUrl).origin === origin) return;
  throw new Forbidden('origin_refused', "This origin isn't listed in CORS_ORIGINS.");
}
