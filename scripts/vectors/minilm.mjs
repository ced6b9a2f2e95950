import { readFileSync } from "node:fs";
import { input, node, onnxFile, output, tensor, types } from "./onnx-file.mjs";

/** MiniLM as an ONNX file, put together from its published weights (safetensors, half precision). */
export function minilmOf(path) {
  const { header, dataOf } = readSafetensors(path);
  const width = header["embeddings.word_embeddings.weight"].shape[1];
  const heads = 12;
  const parts = [
    ...["input_ids", "attention_mask", "token_type_ids"].map((name) => input(name, types.int64, [1, "pieces"])),
    output("last_hidden_state", types.float, [1, "pieces", width]),
  ];
  let made = 0;
  const op = (operator, inputs, attributes, name = `v${made++}`) => {
    parts.push(node(operator, inputs, name, attributes));
    return name;
  };
  const whole = (values, name = `i${made++}`) => {
    const data = Buffer.from(BigInt64Array.from(values, BigInt).buffer);
    parts.push(tensor({ name, type: types.int64, dims: [values.length], data }));
    return name;
  };
  const real = (value, name = `f${made++}`) => {
    parts.push(tensor({ name, type: types.float, dims: [1], data: Buffer.from(Float32Array.of(value).buffer) }));
    return name;
  };
  const weight = (name) => {
    parts.push(tensor({ name, type: types.float16, dims: header[name].shape, data: dataOf(name) }));
    return op("Cast", [name], { to: types.float });
  };
  const linear = (x, name) =>
    op("Add", [
      op("MatMul", [x, op("Transpose", [weight(`${name}.weight`)], { perm: [1, 0] })]),
      weight(`${name}.bias`),
    ]);
  const norm = (x, name, as) =>
    op("LayerNormalization", [x, weight(`${name}.weight`), weight(`${name}.bias`)], { axis: -1, epsilon: 1e-12 }, as);
  const length = op("Gather", [op("Shape", ["input_ids"]), whole([1])], { axis: 0 });
  const places = op("Slice", [weight("embeddings.position_embeddings.weight"), whole([0]), length, whole([0])]);
  const words = op("Gather", [weight("embeddings.word_embeddings.weight"), "input_ids"], { axis: 0 });
  const kinds = op("Gather", [weight("embeddings.token_type_embeddings.weight"), "token_type_ids"], { axis: 0 });
  let x = norm(op("Add", [op("Add", [words, places]), kinds]), "embeddings.LayerNorm");
  const layers = Object.keys(header).filter((name) => name.endsWith(".intermediate.dense.bias")).length;
  for (let layer = 0; layer < layers; layer += 1) {
    const at = `encoder.layer.${layer}`;
    const split = (name, perm) =>
      op(
        "Transpose",
        [op("Reshape", [linear(x, `${at}.attention.self.${name}`), whole([0, 0, heads, width / heads])])],
        { perm },
      );
    const scores = op("MatMul", [split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1])]);
    const shares = op("Softmax", [op("Mul", [scores, real(1 / Math.sqrt(width / heads))])], { axis: -1 });
    const seen = op("Transpose", [op("MatMul", [shares, split("value", [0, 2, 1, 3])])], { perm: [0, 2, 1, 3] });
    const joined = linear(op("Reshape", [seen, whole([0, 0, width])]), `${at}.attention.output.dense`);
    x = norm(op("Add", [joined, x]), `${at}.attention.output.LayerNorm`);
    const wide = linear(x, `${at}.intermediate.dense`);
    const bent = op("Add", [op("Erf", [op("Mul", [wide, real(Math.SQRT1_2)])]), real(1)]);
    const gelu = op("Mul", [op("Mul", [wide, bent]), real(0.5)]);
    const isLast = layer === layers - 1;
    x = norm(
      op("Add", [linear(gelu, `${at}.output.dense`), x]),
      `${at}.output.LayerNorm`,
      isLast ? "last_hidden_state" : undefined,
    );
  }
  return onnxFile(parts);
}

function readSafetensors(path) {
  const file = readFileSync(path);
  const start = 8 + Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.subarray(8, start).toString());
  return { header, dataOf: (name) => file.subarray(...header[name].data_offsets.map((offset) => start + offset)) };
}
