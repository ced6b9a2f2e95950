export interface AgentPorts {
  /** The companion that this server offers to machines, if it offers one. */
  readCompanion(): Promise<CompanionRelease | null>;
}

export interface CompanionRelease {
  readonly version: string;
  readonly tarballSha256: string;
}
