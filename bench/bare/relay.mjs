import { connect } from "node:net";

/** A bridge that knows nothing: bytes from stdin to a socket and back. What two processes cost by themselves. */
const socket = connect({ host: "127.0.0.1", port: Number(process.argv[2]), noDelay: true });
process.stdin.pipe(socket).pipe(process.stdout);
socket.once("close", () => process.exit());
