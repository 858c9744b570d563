import * as z from 'zod';
import { choice, commaList, path, wholeNumber } from './values.ts';

/** Variables of the environment, with a check and a default. */
export const executionVariables = {
  RIPGREP_PATH: path().optional(),
  AGENT_MAX_STEPS: wholeNumber(1, 200).default(50),
  KUBECONFIG_PATH: path().optional(),
  K8S_SUBMITTER: z.string().optional(),
  K8S_IMAGE_PULL_SECRET: z.string().optional(),
  K8S_IMAGE: z.string().optional(),
  K8S_PROTECTED_NAMESPACES: commaList().default(['kube-system', 'kube-public', 'kube-node-lease']),
  COMMAND_NETWORK: choice(['none', 'host']).default('none'),
  ALLOW_UNSANDBOXED_COMMANDS: choice(['true', 'false']).default('false'),
  COMMANDS_FUNCTION_NAME: z.string().optional(),
};
export type ExecutionEnvironment = z.infer<z.ZodObject<typeof executionVariables>>;

/** Returns the settings for the agent's work: its steps, its commands, and the cluster. */
export function readExecution(env: ExecutionEnvironment) {
  return {
    ripgrepPath: env.RIPGREP_PATH,
    agent: { maxSteps: env.AGENT_MAX_STEPS },
    cluster: readCluster(env),
    commands: readCommands(env),
  };
}

function readCluster(env: ExecutionEnvironment) {
  return {
    kubeconfigPath: env.KUBECONFIG_PATH,
    /** The label on each job in the cluster that names its submitter. */
    submitter: env.K8S_SUBMITTER,
    imagePullSecret: env.K8S_IMAGE_PULL_SECRET,
    /** The default image of jobs. */
    image: env.K8S_IMAGE,
    protectedNamespaces: env.K8S_PROTECTED_NAMESPACES,
  };
}

/** Commands without a sandbox can read and write everything that the service can, so they need an explicit setting. */
function readCommands(env: ExecutionEnvironment) {
  return {
    network: env.COMMAND_NETWORK,
    allowUnsandboxed: env.ALLOW_UNSANDBOXED_COMMANDS === 'true',
    /** The function that runs the commands, if any. */
    functionName: env.COMMANDS_FUNCTION_NAME,
  };
}
