/** Writes an ONNX file: just the messages of its format that a sentence model needs. */

const varint = (value) => {
  const bytes = [];
  for (let left = BigInt(value); ; left >>= 7n) {
    if (left < 128n) return Buffer.from([...bytes, Number(left)]);
    bytes.push(Number(left & 127n) | 128);
  }
};
const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
const text = (field, value) => bytes(field, Buffer.from(value));
const message = (field, parts) => bytes(field, Buffer.concat(parts));
const float = (field, value) => {
  const four = Buffer.alloc(4);
  four.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), four]);
};

export const types = { float: 1, int64: 7, float16: 10 };

export const tensor = ({ name, type, dims, data }) =>
  message(5, [...dims.map((dim) => number(1, dim)), number(2, type), text(8, name), bytes(9, data)]);

export const node = (operator, inputs, output, attributes = {}) =>
  message(1, [
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => message(5, [text(1, name), ...attribute(value)])),
  ]);

function attribute(value) {
  if (Array.isArray(value)) return [...value.map((one) => number(8, one)), number(20, 7)];
  return Number.isInteger(value)
    ? [number(3, BigInt.asUintN(64, BigInt(value))), number(20, 2)]
    : [float(2, value), number(20, 1)];
}

const value = (field, name, type, dims) =>
  message(field, [
    text(1, name),
    message(2, [
      message(1, [
        number(1, type),
        message(
          2,
          dims.map((dim) => message(1, [typeof dim === "number" ? number(1, dim) : text(2, dim)])),
        ),
      ]),
    ]),
  ]);

export const input = (name, type, dims) => value(11, name, type, dims);
export const output = (name, type, dims) => value(12, name, type, dims);

/** A whole file of nodes, tensors, inputs and outputs. */
export const onnxFile = (parts) =>
  Buffer.concat([number(1, 8), message(8, [number(2, 17)]), message(7, [text(2, "sentences"), ...parts])]);
