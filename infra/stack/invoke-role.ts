import type { Template } from './template.ts';

/** The role in infra/gateway.yml. */
const ROLE = 'InvokeRole';

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
  for (const [id] of permissions) delete Resources[id];
}
