import { packagedFunctions, type Resource, readTemplate } from '../lanes/packaged-service.ts';

export interface TemplateRoute {
  /** `/api/files/uploads/{uploadId}`. */
  resource: string;
  method: string;
  /** Its name in serverless.yml. */
  function: string;
  authorized: boolean;
  streaming: boolean;
  timeoutMs: number;
}

interface MethodProperties {
  HttpMethod: string;
  ResourceId: { Ref: string };
  AuthorizationType: string;
  Integration: {
    Type: string;
    Uri: { 'Fn::Join': [string, (string | { 'Fn::GetAtt': [string, string] })[]] };
    ResponseTransferMode?: string;
    TimeoutInMillis?: number;
  };
}

interface PathProperties {
  ParentId: { Ref: string } | { 'Fn::GetAtt': [string, string] };
  PathPart: string;
}

/** API Gateway's own, where the template names none. */
const TIMEOUT_MS = 29_000;

/** What API Gateway hands to functions; its own answers to OPTIONS are no part of this. */
export function templateRoutes(): TemplateRoute[] {
  const template = readTemplate();
  const methods = Object.values(template).filter(({ Type }) => Type === 'AWS::ApiGateway::Method');
  const proxies = (methods as unknown as Resource<MethodProperties>[]).filter(
    ({ Properties }) => Properties.Integration.Type === 'AWS_PROXY',
  );
  return proxies.map(({ Properties: { HttpMethod, ResourceId, AuthorizationType, Integration } }) => ({
    resource: pathOf(template, ResourceId.Ref),
    method: HttpMethod,
    function: functionOf(Integration),
    authorized: AuthorizationType === 'CUSTOM',
    streaming: isStreaming(Integration),
    timeoutMs: Integration.TimeoutInMillis ?? TIMEOUT_MS,
  }));
}

function pathOf(template: Record<string, Resource>, logicalId: string): string {
  const resource = template[logicalId];
  if (resource === undefined) throw new Error(`the template has no ${logicalId}`);
  const { ParentId, PathPart } = resource.Properties as unknown as PathProperties;
  return 'Ref' in ParentId ? `${pathOf(template, ParentId.Ref)}/${PathPart}` : `/${PathPart}`;
}

function functionOf({ Uri }: MethodProperties['Integration']): string {
  const reference = Uri['Fn::Join'][1].flatMap((part) =>
    typeof part === 'object' && 'Fn::GetAtt' in part ? part['Fn::GetAtt'][0] : [],
  );
  const found = packagedFunctions().find(({ logicalId }) => logicalId === reference[0]);
  if (found === undefined) throw new Error(`no function for ${JSON.stringify(Uri)}`);
  return found.name;
}

/** Both must say so, or API Gateway calls a streaming handler the wrong way. */
function isStreaming({ ResponseTransferMode, Uri }: MethodProperties['Integration']): boolean {
  const streams = ResponseTransferMode === 'STREAM';
  if (Uri['Fn::Join'][1].at(-1) !== (streams ? '/response-streaming-invocations' : '/invocations'))
    throw new Error(`the transfer mode contradicts the address: ${JSON.stringify(Uri)}`);
  return streams;
}
