import type { Template, TemplateResource } from './template.ts';

const FUNCTION = /LambdaFunction$/;
const WRITE_LOG = ['logs:CreateLogStream', 'logs:PutLogEvents'];
/** A function with a value in this variable sends traces. */
const COLLECTOR = 'OTEL_EXPORTER_OTLP_ENDPOINT';

export interface FunctionSettings {
  /** A layer with a trace collector, by its ARN; empty for none. */
  collectorLayer: string;
  /** Its unpacked size, as a text. */
  collectorLayerMb: string;
}

/** Adds what is the same for every function, and would be repeated in the fragments. */
export function settleFunctions(
  { Resources }: Template,
  { collectorLayer }: Pick<FunctionSettings, 'collectorLayer'>,
): void {
  const written = new Set<string>();
  for (const [id, resource] of Object.entries(Resources)) {
    if (resource.Type !== 'AWS::Lambda::Function') continue;
    const role: string = resource.Properties.Role['Fn::GetAtt'][0];
    if (written.has(role)) throw new Error(`${id} shares ${role}. Give each function a role of its own.`);
    written.add(role);
    writeOwnLog(Resources, role, id.replace(FUNCTION, 'LogGroup'));
    if (collectorLayer !== '') addCollector(resource, collectorLayer);
  }
}

/** Adds the permission to the role itself: a shared one would reach the log groups of all functions. */
function writeOwnLog(Resources: Template['Resources'], roleId: string, logGroup: string): void {
  const [role, group] = [Resources[roleId], Resources[logGroup]];
  if (role === undefined || group === undefined) throw new Error(`${roleId} or ${logGroup} is missing.`);
  const Resource = { 'Fn::GetAtt': [logGroup, 'Arn'] };
  const Statement = [{ Effect: 'Allow', Action: WRITE_LOG, Resource }];
  role.Properties.Policies = [
    ...(role.Properties.Policies ?? []),
    { PolicyName: 'log', PolicyDocument: { Version: '2012-10-17', Statement } },
  ];
}

/** Adds none without traces: the function that runs commands gets no third-party program. */
function addCollector({ Properties }: TemplateResource, layer: string): void {
  if (!Properties.Environment?.Variables?.[COLLECTOR]) return;
  Properties.Layers = [...(Properties.Layers ?? []), layer];
}
