import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { ERROR_CODES } from '../../lib/error-codes.ts';

interface Refusal {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters: Record<string, unknown>;
}

/**
 * The statuses of API Gateway's own responses. The statuses of the defaults vary, so infra/gateway.yml sets
 * one.
 */
const STATUSES: Record<string, number> = {
  UNAUTHORIZED: 401,
  ACCESS_DENIED: 403,
  WAF_FILTERED: 403,
  REQUEST_TOO_LARGE: 413,
  THROTTLED: 429,
  AUTHORIZER_FAILURE: 500,
  INTEGRATION_TIMEOUT: 504,
};

const { Resources } = yaml.load(readFileSync('infra/gateway.yml', 'utf8'), {
  schema: yaml.YAML11_SCHEMA,
}) as { Resources: Record<string, { Type: string; Properties: Refusal }> };
const refusals = Object.values(Resources)
  .filter(({ Type }) => Type === 'AWS::ApiGateway::GatewayResponse')
  .map(({ Properties }) => Properties);

describe("API Gateway's own responses", () => {
  it('have a code of the catalog with the same status', () => {
    const found = refusals.map(({ ResponseType, StatusCode, ResponseParameters }) => {
      const code = String(ResponseParameters['gatewayresponse.header.x-error-code']).replaceAll("'", '');
      return { ResponseType, code, status: Number(StatusCode ?? STATUSES[ResponseType]) };
    });
    expect(found.length).toBeGreaterThanOrEqual(8);
    const wrong = found.filter(
      ({ code, status }) => (ERROR_CODES as Record<string, number>)[code] !== status,
    );
    expect(wrong).toEqual([]);
  });

  it('use the same code as the local gateway for a request that is too large', () => {
    const found = refusals.find(({ ResponseType }) => ResponseType === 'REQUEST_TOO_LARGE');
    expect(found?.ResponseParameters).toMatchObject({
      'gatewayresponse.header.x-error-code': "'body_too_large'",
    });
  });
});
