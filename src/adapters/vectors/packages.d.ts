/** Of a package that we do not depend on: whoever wants vectors installs it. */
declare module "onnxruntime-web" {
  export const env: { readonly wasm: { numThreads: number } };
  export const InferenceSession: { create(model: Uint8Array): Promise<Session> };

  export class Tensor {
    constructor(type: "int64", data: BigInt64Array, dims: readonly number[]);
  }

  export interface Session {
    readonly inputNames: readonly string[];
    readonly outputNames: readonly string[];
    run(
      feeds: Record<string, Tensor>,
    ): Promise<Record<string, { readonly data: Float32Array; readonly dims: readonly number[] }>>;
  }
}
