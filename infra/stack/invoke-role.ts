import type { Template } from './template.ts';

/** The role in infra/gateway.yml. */
const ROLE = 'InvokeRole';

/**
 * Lets API Gateway call its functions with one role, which may call only these. The Framework would add a
 * permission per function, and each would cost one of the stack's 500 resources.
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
