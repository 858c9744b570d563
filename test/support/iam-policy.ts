/**
 * Evaluates the IAM policies of our templates as AWS documents it (docs.aws.amazon.com/IAM/latest/UserGuide,
 * reference_policies_evaluation-logic and reference_policies_elements_condition_operators): only the
 * operators and kinds of principals in the templates. Throws for any other, so that none is overlooked.
 */
export interface Statement {
  Effect: 'Allow' | 'Deny';
  Principal?: '*' | { AWS?: string; Service?: string };
  Action: string | string[];
  Resource?: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}

interface AccessRequest {
  action: string;
  resource: string;
  /** Condition keys; a key with several values has a list. */
  context?: Record<string, string | string[]>;
}

/** `implicit`: no statement allows it. */
export type Decision = 'allowed' | 'denied' | 'implicit';

/**
 * The effects of the statements that apply to the request; those of a resource's policy apply to everyone,
 * also without credentials.
 */
export function evaluate(statements: Statement[], request: AccessRequest): Decision {
  const matching = statements.filter((statement) => applies(statement, request));
  if (matching.some(({ Effect }) => Effect === 'Deny')) return 'denied';
  return matching.some(({ Effect }) => Effect === 'Allow') ? 'allowed' : 'implicit';
}

function applies({ Principal, Action, Resource, Condition = {} }: Statement, request: AccessRequest) {
  if (Principal !== undefined && !isEveryone(Principal))
    throw new Error(`a principal that this evaluator does not know: ${JSON.stringify(Principal)}`);
  const { action, resource, context = {} } = request;
  return (
    [Action].flat().some((pattern) => like(action, pattern)) &&
    (Resource === undefined || [Resource].flat().some((pattern) => like(resource, pattern))) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys).every(([key, wanted]) => holds(operator, context[key], [wanted].flat())),
    )
  );
}

function isEveryone(principal: NonNullable<Statement['Principal']>): boolean {
  return principal === '*' || (principal.AWS === '*' && principal.Service === undefined);
}

type Comparison = (value: string, wanted: string) => boolean;

const POSITIVE: Record<string, Comparison> = {
  StringEquals: (value, wanted) => value === wanted,
  StringLike: like,
  ArnEquals: like,
  ArnLike: like,
  Bool: (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
};
const NEGATED: Record<string, Comparison> = { StringNotEquals: (v, w) => v === w, StringNotLike: like };

/** A missing key fails a positive operator, and satisfies a negated one and ForAllValues. */
function holds(operator: string, found: string | string[] | undefined, wanted: string[]): boolean {
  const [name = '', set] = operator.split(':').reverse();
  const values = found === undefined ? [] : [found].flat();
  const positive = POSITIVE[name];
  const negated = NEGATED[name];
  const test = (value: string) =>
    positive !== undefined
      ? wanted.some((one) => positive(value, one))
      : !wanted.some((one) => negated?.(value, one));
  if (positive === undefined && negated === undefined)
    throw new Error(`a condition that this evaluator does not know: ${operator}`);
  if (set === 'ForAllValues') return values.every(test);
  if (set === 'ForAnyValue') return values.some(test);
  if (set !== undefined) throw new Error(`a condition that this evaluator does not know: ${operator}`);
  if (values.length > 1) throw new Error(`${operator} compares one value, and the key has several`);
  return values.length === 0 ? negated !== undefined : values.every(test);
}

/** Matches `*` and `?` as wildcards, and everything else literally. */
function like(value: string, pattern: string): boolean {
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${source.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(value);
}

const PSEUDO: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-west-1',
  'AWS::AccountId': '111122223333',
};

/** ARNs whose form a policy compares. */
const FORMS: Record<string, string> = {
  AccessPoint: 'elasticfilesystem:eu-west-1:111122223333:access-point',
};

/** Returns the ARN for a resource of the template. */
export function arnOf(logicalId: string): string {
  return `arn:aws:${FORMS[logicalId] ?? 'test:eu-west-1:111122223333:any'}/${logicalId}`;
}

/** Resolves the references of a template's policy. */
export function resolvePolicy<Value>(value: Value): Value {
  return resolveValue(value) as Value;
}

function resolveValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolveValue);
  if (value === null || typeof value !== 'object') return value;
  const [[key, inner] = ['', undefined]] = Object.entries(value);
  if (key === 'Ref') return nameOf(inner);
  if (key === 'Fn::GetAtt') return nameOf([inner].flat().join('.'));
  if (key === 'Fn::Sub')
    return String(inner).replace(/\$\{([\w:.]+)\}/g, (_, reference: string) => nameOf(reference));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolveValue(item)]));
}

/** A parameter of a split stack is named after its reference: `TableArn`. */
function nameOf(reference: string): string {
  const pseudo = PSEUDO[reference];
  if (pseudo !== undefined) return pseudo;
  const [, id = reference] = /^(\w+?)\.?Arn$/.exec(reference) ?? [];
  return id === reference ? reference : arnOf(id);
}
