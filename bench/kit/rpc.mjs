/** The frames of both eras of MCP, as small as a client may write them. */

export const legacyVersion = "2025-11-25";
export const modernVersion = "2026-07-28";

const clientInfo = { name: "bench", version: "1" };

export const initializeParams = { protocolVersion: legacyVersion, capabilities: {}, clientInfo };

/** What every request of the stateless era carries. */
export const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": modernVersion,
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const request = (id, method, params = {}) => ({ jsonrpc: "2.0", id, method, params });

/** Throws unless an answer is a tool's good result: a refused call must never look fast. */
export function checkAnswer(answer) {
  if (answer.error || answer.result?.isError) {
    throw new Error(`a call was refused: ${JSON.stringify(answer.error ?? answer.result).slice(0, 300)}`);
  }
  return answer.result;
}
