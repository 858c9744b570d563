import { describe, expect, it } from '@jest/globals';
import { describeApi, emptyApi } from '../../../infra/stack/api-body.ts';
import type { Template } from '../../../infra/stack/template.ts';

const ref = (Ref: string) => ({ Ref });
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const ROOT = { 'Fn::GetAtt': ['ApiGatewayRestApi', 'RootResourceId'] };
const uri = { 'Fn::Join': ['', [arnOf('ChatLambdaFunction'), '/response-streaming-invocations']] };
const origin = 'method.response.header.Access-Control-Allow-Origin';

function makeTemplate(integration = {}): Template {
  const method = (ResourceId: object, properties: object) => ({
    Type: 'AWS::ApiGateway::Method',
    Properties: { ResourceId, ...properties },
  });
  return {
    Resources: {
      ApiGatewayRestApi: {
        Type: 'AWS::ApiGateway::RestApi',
        Properties: {
          Name: 'dev-service',
          BinaryMediaTypes: ['application/zip'],
          EndpointConfiguration: { Types: ['REGIONAL'] },
          Policy: '',
        },
      },
      Chat: { Type: 'AWS::ApiGateway::Resource', Properties: { ParentId: ROOT, PathPart: 'chat' } },
      Below: {
        Type: 'AWS::ApiGateway::Resource',
        Properties: { ParentId: ref('Chat'), PathPart: '{proxy+}' },
      },
      Authorizer: {
        Type: 'AWS::ApiGateway::Authorizer',
        Properties: {
          Name: 'authorizer',
          Type: 'REQUEST',
          IdentitySource: 'method.request.header.Authorization',
          AuthorizerUri: 'uri',
          AuthorizerResultTtlInSeconds: 0,
        },
      },
      BelowAny: method(ref('Below'), {
        HttpMethod: 'ANY',
        AuthorizationType: 'CUSTOM',
        AuthorizerId: ref('Authorizer'),
        Integration: {
          Type: 'AWS_PROXY',
          IntegrationHttpMethod: 'POST',
          Uri: uri,
          ResponseTransferMode: 'STREAM',
          TimeoutInMillis: 900_000,
          ...integration,
        },
      }),
      ChatOptions: method(ref('Chat'), {
        HttpMethod: 'OPTIONS',
        AuthorizationType: 'NONE',
        MethodResponses: [{ StatusCode: '200', ResponseParameters: { [origin]: true }, ResponseModels: {} }],
        Integration: {
          Type: 'MOCK',
          RequestTemplates: { 'application/json': '{statusCode:200}' },
          IntegrationResponses: [
            { StatusCode: '200', ResponseParameters: { [origin]: "'*'" }, ResponseTemplates: {} },
          ],
        },
      }),
      TooLarge: {
        Type: 'AWS::ApiGateway::GatewayResponse',
        Properties: {
          ResponseType: 'REQUEST_TOO_LARGE',
          ResponseParameters: { a: 'b' },
          ResponseTemplates: { c: 'd' },
        },
      },
      Deployment: {
        Type: 'AWS::ApiGateway::Deployment',
        DependsOn: ['BelowAny', 'ChatOptions'],
        Properties: {},
      },
    },
  };
}

function described(): Template {
  const template = makeTemplate();
  describeApi(template);
  return template;
}

describe('describeApi', () => {
  const { Resources } = described();
  const { Body, ...properties } = Resources.ApiGatewayRestApi?.Properties ?? {};

  it('keeps only the API and its deployment among the API resources', () => {
    expect(Object.keys(Resources)).toEqual(['ApiGatewayRestApi', 'Deployment']);
    expect(Resources.Deployment?.DependsOn).toEqual([]);
  });

  it('overwrites the previous API definition, and keeps the endpoint regional', () => {
    expect(properties).toEqual({
      Name: 'dev-service',
      BinaryMediaTypes: ['application/zip'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
      Mode: 'overwrite',
      Parameters: { endpointConfigurationTypes: 'REGIONAL' },
    });
    expect(Body.info.title).toBe('dev-service');
  });

  it('describes a route like the resources that it replaces', () => {
    expect(Body.paths['/chat/{proxy+}']).toEqual({
      'x-amazon-apigateway-any-method': {
        security: [{ authorizer: [] }],
        parameters: [{ name: 'proxy', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {},
        'x-amazon-apigateway-integration': {
          type: 'aws_proxy',
          httpMethod: 'POST',
          uri,
          responseTransferMode: 'STREAM',
          timeoutInMillis: 900_000,
          credentials: arnOf('InvokeRole'),
        },
      },
    });
  });

  it('describes the responses that API Gateway sends without a function', () => {
    expect(Body.paths['/chat'].options).toEqual({
      parameters: [],
      responses: {
        200: { description: '', headers: { 'Access-Control-Allow-Origin': { schema: { type: 'string' } } } },
      },
      'x-amazon-apigateway-integration': {
        type: 'mock',
        requestTemplates: { 'application/json': '{statusCode:200}' },
        responses: {
          default: { statusCode: '200', responseParameters: { [origin]: "'*'" }, responseTemplates: {} },
        },
      },
    });
    expect(Body['x-amazon-apigateway-gateway-responses']).toEqual({
      REQUEST_TOO_LARGE: { responseParameters: { a: 'b' }, responseTemplates: { c: 'd' } },
    });
  });

  it('calls the authorizer with the role, for each request', () => {
    expect(Body.components.securitySchemes.authorizer).toEqual({
      type: 'apiKey',
      name: 'Authorization',
      in: 'header',
      'x-amazon-apigateway-authtype': 'custom',
      'x-amazon-apigateway-authorizer': {
        type: 'request',
        identitySource: 'method.request.header.Authorization',
        authorizerUri: 'uri',
        authorizerCredentials: arnOf('InvokeRole'),
        authorizerResultTtlInSeconds: 0,
      },
    });
  });

  it('refuses a template with settings that the document would lose', () => {
    expect(() => describeApi(makeTemplate({ CacheNamespace: 'own' }))).toThrow('CacheNamespace');
    const keyed = makeTemplate();
    Object.assign(keyed.Resources.BelowAny?.Properties, { ApiKeyRequired: true });
    expect(() => describeApi(keyed)).toThrow('ApiKeyRequired');
    for (const [id, lost] of [
      ['Authorizer', { IdentityValidationExpression: '.+' }],
      ['TooLarge', { ResponseModels: { a: 'b' } }],
    ] as const) {
      const changed = makeTemplate();
      Object.assign(changed.Resources[id]?.Properties, lost);
      expect(() => describeApi(changed)).toThrow(Object.keys(lost)[0]);
    }
    const template = makeTemplate();
    delete template.Resources.Authorizer;
    expect(() => describeApi(template)).toThrow('no authorizer');
  });
});

describe('describeApi with settings that say nothing', () => {
  it('leaves out empty settings of a method and of an integration', () => {
    const template = makeTemplate({ CacheKeyParameters: [], RequestParameters: {} });
    Object.assign(template.Resources.BelowAny?.Properties, { ApiKeyRequired: false, RequestParameters: {} });
    describeApi(template);
    expect(template.Resources.ApiGatewayRestApi?.Properties.Body).toEqual(
      described().Resources.ApiGatewayRestApi?.Properties.Body,
    );
  });
});

describe('describeApi with two settings of one name', () => {
  const twice: [string, (resources: Template['Resources']) => void][] = [
    [
      'integration responses',
      ({ ChatOptions }) => repeat(ChatOptions?.Properties.Integration.IntegrationResponses),
    ],
    ['method responses', ({ ChatOptions }) => repeat(ChatOptions?.Properties.MethodResponses)],
    ['gateway responses', (resources) => Object.assign(resources, { Again: resources.TooLarge })],
    ['authorizers', (resources) => Object.assign(resources, { Again: resources.Authorizer })],
    ['methods', (resources) => Object.assign(resources, { Again: resources.ChatOptions })],
  ];
  const repeat = (list: object[]) => list.push({ ...list[0] });

  it.each(twice)('refuses %s, because one would replace the other', (_, change) => {
    const template = makeTemplate();
    change(template.Resources);
    expect(() => describeApi(template)).toThrow('one place');
  });
});

it('new API is created without routes, because its document needs functions and the functions need its ID', () => {
  const { Mode, Parameters, Body, ...bare } = described().Resources.ApiGatewayRestApi?.Properties ?? {};
  expect(emptyApi(described())).toEqual({ Type: 'AWS::ApiGateway::RestApi', Properties: bare });
});
