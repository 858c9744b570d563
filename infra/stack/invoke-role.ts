import type { Template, TemplateResource } from './template.ts';

/** The role in infra/gateway.yml. */
const ROLE = 'InvokeRole';
const AS_ROLE = { 'Fn::GetAtt': [ROLE, 'Arn'] };

/**
 * API Gateway calls its functions with one role that may call these and nothing else. The Framework gives each function a
 * permission instead, which costs one of the 500 resources each.
 */
export function invokeByRole({ Resources }: Template): void {
  const permissions = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Permission');
  const Statement = [
    {
      Effect: 'Allow',
      Action: 'lambda:InvokeFunction',
      Resource: permissions.map(([, { Properties }]) => Properties.FunctionName),
    },
  ];
  const role = Resources[ROLE];
  if (role === undefined) throw new Error(`${ROLE} is missing`);
  role.Properties.Policies = [{ PolicyName: 'invoke', PolicyDocument: { Version: '2012-10-17', Statement } }];
  const kept = behindGreedyPaths(Resources);
  const gone = new Set(permissions.flatMap(([id, own]) => (kept.has(functionOf(own)) ? [] : id)));
  for (const id of gone) delete Resources[id];
  for (const resource of Object.values(Resources)) {
    const { Type, Properties, DependsOn } = resource;
    if (Type === 'AWS::ApiGateway::Authorizer') Properties.AuthorizerCredentials = AS_ROLE;
    if (isCall(resource)) Properties.Integration.Credentials = AS_ROLE;
    if (DependsOn !== undefined) resource.DependsOn = [DependsOn].flat().filter((id) => !gone.has(id));
  }
}

/**
 * Functions whose paths were separate resources in release 1.0. API Gateway takes its snapshot of the API before CloudFormation
 * removes these, so until the next deployment they still exist, and have no role.
 */
function behindGreedyPaths(Resources: Template['Resources']): Set<string> {
  const calls = Object.values(Resources).filter(isCall);
  const greedy = calls.filter(
    ({ Properties }) => Resources[Properties.ResourceId?.Ref]?.Properties.PathPart === '{proxy+}',
  );
  const parts: { 'Fn::GetAtt'?: string[] }[] = greedy.flatMap(
    ({ Properties }) => Properties.Integration.Uri['Fn::Join'][1],
  );
  return new Set(parts.flatMap((part) => part['Fn::GetAtt']?.[0] ?? []));
}

function isCall({ Type, Properties }: TemplateResource): boolean {
  return Type === 'AWS::ApiGateway::Method' && Properties.Integration.Type === 'AWS_PROXY';
}

function functionOf({ Properties }: TemplateResource): string {
  return Properties.FunctionName['Fn::GetAtt'][0];
}
