import * as z from 'zod';

/** Where the metadata of the protected resource lies (RFC 9728); that of one path is found with the path behind it, too. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

export const protectedResourceSchema = z
  .strictObject({
    resource: z.url(),
    resource_name: z.string(),
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
  /** Set with AUTH_MODE=oidc. */
  issuer: string | undefined;
}

/**
 * What a client of the Model Context Protocol must know to come by a credential for it. Without an issuer nobody hands out
 * tokens but an administrator: then there is no authorization server to name.
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

/** What a 401 says: where the metadata is. */
export function bearerChallenge(publicUrl: string): string {
  return `Bearer resource_metadata="${publicUrl.replace(/\/$/, '')}${METADATA_PATH}"`;
}
