import { describe, expect, it } from '@jest/globals';
import { bearerChallenge, describeResource } from '../../../lib/tokens/protected-resource.ts';

describe('describeResource', () => {
  it('names the issuer, if there is one', () => {
    const settings = { publicUrl: 'https://api.example.org/dev/', issuer: 'https://login.example.org/' };
    expect(describeResource(settings)).toMatchObject({
      resource: 'https://api.example.org/dev/api/mcp',
      authorization_servers: ['https://login.example.org/'],
    });
  });
});

describe('bearerChallenge', () => {
  it('links to the metadata', () => {
    expect(bearerChallenge('https://api.example.org/dev')).toBe(
      'Bearer resource_metadata="https://api.example.org/dev/.well-known/oauth-protected-resource"',
    );
  });
});
