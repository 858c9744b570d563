import type { Template } from './template.ts';

/** A reference, or the ARN of an AWS managed policy. */
type PolicyArn = { Ref?: string };

const MANAGED = 'AWS::IAM::ManagedPolicy';
/** IAM allows 10,240 characters of policies per role; references become longer when they are resolved. */
const MOST_CHARACTERS = 8_000;

/**
 * Copies policies that several roles share into each role. The fragments define each policy once, and the stack saves
 * forty of the 500 resources that CloudFormation allows. Throws for a role that IAM would reject.
 */
export function inlinePolicies({ Resources }: Template): void {
  for (const [id, { Type, Properties }] of Object.entries(Resources)) {
    if (Type !== 'AWS::IAM::Role') continue;
    const { own, others } = partPolicies(Resources, Properties.ManagedPolicyArns ?? []);
    Properties.ManagedPolicyArns = others;
    Properties.Policies = [...(Properties.Policies ?? []), ...own];
    if (JSON.stringify(Properties.Policies).length > MOST_CHARACTERS)
      throw new Error(`${id} has more policies than IAM allows in one role.`);
  }
  for (const [id, { Type }] of Object.entries(Resources)) if (Type === MANAGED) delete Resources[id];
}

/** Separates the template's own policies, returned by value, from AWS managed policies, returned by ARN. */
function partPolicies(Resources: Template['Resources'], arns: PolicyArn[]) {
  const isOwn = ({ Ref }: PolicyArn) => Ref !== undefined && Resources[Ref]?.Type === MANAGED;
  const own = arns.filter(isOwn).map(({ Ref = '' }) => ({
    PolicyName: Ref,
    PolicyDocument: Resources[Ref]?.Properties.PolicyDocument,
  }));
  return { own, others: arns.filter((arn) => !isOwn(arn)) };
}
