/** A CloudFormation template as JSON, limited to the parts that this program reads. */
export interface Template {
  AWSTemplateFormatVersion?: string;
  Description?: string;
  Parameters?: Record<string, unknown>;
  Conditions?: Record<string, unknown>;
  Resources: Record<string, TemplateResource>;
  Outputs?: Record<string, unknown>;
}

export interface TemplateResource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties have the type of their resource; each is read once.
  Properties?: any;
  DependsOn?: string | string[];
  DeletionPolicy?: string;
}

/** Replaces a reference: a parameter, or the value as text within Fn::Sub. */
export type Substitute = { parameter: string } | { text: string };

/**
 * Replaces the references of a value (Ref, Fn::GetAtt, and those inside Fn::Sub) for which `find` returns a substitute.
 * `attribute` is undefined for a Ref.
 */
export function mapReferences(
  value: unknown,
  find: (logicalId: string, attribute?: string) => Substitute | undefined,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, find));
  if (value === null || typeof value !== 'object') return value;
  const [[key, inner] = ['', undefined]] = Object.entries(value);
  if (key === 'Ref' || key === 'Fn::GetAtt') return substituteFor(splitName(inner), find) ?? value;
  const entries = Object.entries(value).map(([name, item]) => [name, mapReferences(item, find)]);
  const mapped = Object.fromEntries(entries);
  if (key !== 'Fn::Sub') return mapped;
  const [text, ...variables] = [mapped[key]].flat() as [string, ...unknown[]];
  const replaced = mapText(text, find);
  return { 'Fn::Sub': variables.length > 0 ? [replaced, ...variables] : replaced };
}

/** Splits `[Table, Arn]`, `Table.Arn`, or `Table`. */
function splitName(name: unknown): string[] {
  return [name].flat().join('.').split('.');
}

function substituteFor([id = '', ...attribute]: string[], find: Parameters<typeof mapReferences>[1]) {
  const found = find(id, attribute.length > 0 ? attribute.join('.') : undefined);
  if (found === undefined) return undefined;
  if ('parameter' in found) return { Ref: found.parameter };
  return found.text.includes('${') ? { 'Fn::Sub': found.text } : found.text;
}

/** `${!Literal}` and `${AWS::Region}` don't name a resource. */
function mapText(text: string, find: Parameters<typeof mapReferences>[1]): string {
  return text.replace(/\$\{([\w.]+)\}/g, (whole, name: string) => {
    const substitute = substituteFor(splitName(name), find) ?? whole;
    if (typeof substitute === 'string') return substitute;
    return 'Ref' in substitute ? `\${${substitute.Ref}}` : substitute['Fn::Sub'];
  });
}
