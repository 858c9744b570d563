import * as z from 'zod';

/** The path of the protected resource metadata (RFC 9728). For a single resource, its own path follows. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

export const protectedResourceSchema = z
  .strictObject({
    resource: z.url().describe('URL that the credentials are for.'),
    resource_name: z.string().describe('Name of the service.'),
    authorization_servers: z
      .array(z.url())
      .optional()
      .describe('Issuers of credentials. Missing if the service itself issues them.'),
    bearer_methods_supported: z.array(z.literal('header').meta({ title: 'BearerMethod' })),
  })
  .meta({ id: 'ProtectedResource' });
export type ProtectedResource = z.infer<typeof protectedResourceSchema>;

export interface ResourceSettings {
  publicUrl: string | undefined;
  /** The token issuer, set with AUTH_MODE=oidc. */
  issuer: string | undefined;
}

/**
 * Describes how an MCP client gets a credential. Without an issuer, only an administrator issues tokens, so
 * no authorization server is named.
 */
export function describeResource({
  publicUrl = 'http://localhost',
  issuer,
}: ResourceSettings): ProtectedResource {
  return {
    resource: `${publicUrl.replace(/\/$/, '')}/api/mcp`,
    resource_name: 'Workspace Research Service',
    ...(issuer !== undefined && { authorization_servers: [issuer] }),
    bearer_methods_supported: ['header'],
  };
}

/** Returns the challenge for a 401, with the URL of the metadata. */
export function bearerChallenge(publicUrl: string): string {
  return `Bearer resource_metadata="${publicUrl.replace(/\/$/, '')}${METADATA_PATH}"`;
}
