export interface TemplatePorts {
  /** Templates kept as files: in the folders of these repositories, and in the user's own. */
  readFiles(repositoryPaths: readonly string[], signal: AbortSignal): Promise<TemplateFile[]>;
}

export interface TemplateFile {
  /** `file:` and where it lies; stable while the file stays where it is. */
  readonly id: string;
  readonly name: string;
  /** As parsed from JSON or YAML; not checked yet. */
  readonly content: unknown;
}
