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
  if (role === undefined) throw new Error(`${ROLE} is missing.`);
  role.Properties.Policies = [{ PolicyName: 'invoke', PolicyDocument: { Version: '2012-10-17', Statement } }];
  const gone = new Set(permissions.map(([id]) => id));
  for (const id of gone) delete Resources[id];
  for (const resource of Object.values(Resources)) {
    const { Type, Properties, DependsOn } = resource;
    if (Type === 'AWS::ApiGateway::Authorizer') Properties.AuthorizerCredentials = AS_ROLE;
    if (isCall(resource)) Properties.Integration.Credentials = AS_ROLE;
    if (DependsOn !== undefined) resource.DependsOn = [DependsOn].flat().filter((id) => !gone.has(id));
  }
}

function isCall({ Type, Properties }: TemplateResource): boolean {
  return Type === 'AWS::ApiGateway::Method' && Properties.Integration.Type === 'AWS_PROXY';
}
