export type Config = Record<string, unknown>;

export interface ConfigProps {
  workspaceId: string;
  config: Config;
  onChange: (config: Config) => void;
}
