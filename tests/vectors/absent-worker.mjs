/** As the real thread where its packages are not installed. */
import { parentPort } from "node:worker_threads";

parentPort.postMessage({ absent: "the model is not installed" });
parentPort.on("message", () => undefined);
