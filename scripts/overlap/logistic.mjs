/** Logistic regression by Newton's method: the same weights on every machine, in a dozen steps. */
export function fitLogistic(rows, labels, { ridge = 1e-4, mostSteps = 40 } = {}) {
  const size = rows[0].length + 1;
  const weights = new Float64Array(size);
  for (let step = 0; step < mostSteps; step += 1) {
    const { gradient, curvature } = differentiate(rows, labels, weights, ridge);
    const change = solve(curvature, gradient);
    for (let at = 0; at < size; at += 1) weights[at] -= change[at];
    if (Math.max(...change.map(Math.abs)) < 1e-9) break;
  }
  return { weights: [...weights.slice(0, -1)], intercept: weights[size - 1] };
}

export const predict = ({ weights, intercept }, row) =>
  1 / (1 + Math.exp(-row.reduce((sum, value, at) => sum + value * weights[at], intercept)));

/** Every weight but the intercept is pulled towards zero. */
function differentiate(rows, labels, weights, ridge) {
  const size = weights.length;
  const gradient = new Float64Array(size);
  const curvature = Array.from({ length: size }, () => new Float64Array(size));
  const model = { weights: weights.subarray(0, -1), intercept: weights[size - 1] };
  rows.forEach((row, at) => {
    const probability = predict(model, row);
    const values = [...row, 1];
    const spread = probability * (1 - probability) + 1e-12;
    for (let i = 0; i < size; i += 1) {
      gradient[i] += (probability - labels[at]) * values[i];
      for (let j = 0; j <= i; j += 1) curvature[i][j] += spread * values[i] * values[j];
    }
  });
  for (let i = 0; i < size; i += 1) {
    const pull = i < size - 1 ? ridge * rows.length : 0;
    gradient[i] += pull * weights[i];
    curvature[i][i] += pull;
    for (let j = 0; j < i; j += 1) curvature[j][i] = curvature[i][j];
  }
  return { gradient, curvature };
}

/** Gauss and Jordan, with the largest pivot. */
function solve(matrix, right) {
  const size = right.length;
  const table = matrix.map((line, at) => [...line, right[at]]);
  for (let column = 0; column < size; column += 1) {
    const pivot = table.reduce(
      (best, line, at) => (at >= column && Math.abs(line[column]) > Math.abs(table[best][column]) ? at : best),
      column,
    );
    [table[column], table[pivot]] = [table[pivot], table[column]];
    for (let other = 0; other < size; other += 1) {
      if (other === column) continue;
      const factor = table[other][column] / table[column][column];
      for (let at = column; at <= size; at += 1) table[other][at] -= factor * table[column][at];
    }
  }
  return table.map((line, at) => line[size] / line[at]);
}
