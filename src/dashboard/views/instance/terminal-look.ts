import type { ITheme, Terminal } from "@xterm/xterm";

/** Dark in every theme: programs choose their colours for that. */
export const terminalColours: ITheme = {
  background: "#101416",
  foreground: "#e4e9e8",
  cursor: "#74cabf",
  cursorAccent: "#101416",
  selectionBackground: "#2f5550",
  black: "#2a3336",
  red: "#ff958a",
  green: "#8fd19a",
  yellow: "#f0b465",
  blue: "#8ab8f5",
  magenta: "#d3a4ee",
  cyan: "#74cabf",
  white: "#d5dbda",
  brightBlack: "#9aa7a7",
  brightRed: "#ffb3ab",
  brightGreen: "#b0e3b8",
  brightYellow: "#f7cf98",
  brightBlue: "#b3d2fa",
  brightMagenta: "#e4c5f6",
  brightCyan: "#a3e0d8",
  brightWhite: "#ffffff",
};

/**
 * Programs ask terminals what they are and what they show. tmux has answered already; a second answer would be typed
 * into the program as if a person had.
 */
export function silenceReplies({ parser }: Terminal): void {
  const swallow = (): boolean => true;
  for (const prefix of ["", ">", "="]) parser.registerCsiHandler({ ...prefixed(prefix), final: "c" }, swallow);
  for (const prefix of ["", "?"]) {
    parser.registerCsiHandler({ ...prefixed(prefix), final: "n" }, swallow);
    parser.registerCsiHandler({ ...prefixed(prefix), intermediates: "$", final: "p" }, swallow);
  }
  parser.registerCsiHandler({ final: "t" }, swallow);
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, swallow);
  for (const colours of [4, 10, 11, 12, 52])
    parser.registerOscHandler(colours, (text) => text.includes("?") || colours === 52);
}

const prefixed = (prefix: string): { prefix?: string } => (prefix === "" ? {} : { prefix });
