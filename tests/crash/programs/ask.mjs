/** What the test wants of a program, and one value for it on a line. */
export const readAsk = () => JSON.parse(process.argv[2]);

export const print = (value) => void process.stdout.write(`${JSON.stringify(value)}\n`);
