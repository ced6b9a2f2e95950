import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { allowTerminalStyles } from "./strict-document.ts";
import { TerminalLink, type TerminalState } from "./terminal-link.ts";
import { silenceReplies, terminalColours } from "./terminal-look.ts";
import "./agent-terminal.css";

const words: Readonly<Record<TerminalState, string>> = {
  connecting: "Connecting…",
  live: "Live",
  reconnecting: "Reconnecting…",
  ended: "Program ended",
  none: "No output was kept",
};

interface Hands {
  readonly terminal: Terminal;
  readonly link: TerminalLink;
}

/** What an agent's program shows, as it shows it. Nothing is typed into it until the reader takes the keyboard. */
export function AgentTerminal({ id }: { id: string }) {
  const box = useRef<HTMLDivElement>(null);
  const hands = useRef<Hands>(undefined);
  const [state, setState] = useState<TerminalState>("connecting");
  const [isLog, setLog] = useState(false);
  const [isTyping, setTyping] = useState(false);
  useEffect(() => {
    if (!box.current) return;
    const opened = open(box.current, id, { onState: setState, onLog: setLog, onLeave: () => setTyping(false) });
    hands.current = opened;
    return opened.close;
  }, [id]);
  const canType = state === "live" && !isLog;
  useEffect(() => {
    const { terminal } = hands.current ?? {};
    if (!terminal) return;
    terminal.options.disableStdin = !(isTyping && canType);
    terminal.options.cursorInactiveStyle = isTyping && canType ? "outline" : "none";
    if (terminal.textarea) terminal.textarea.tabIndex = isTyping && canType ? 0 : -1;
    if (isTyping && canType) terminal.focus();
    else terminal.blur();
  }, [isTyping, canType]);
  return (
    <section className="terminal" aria-label="Terminal" data-typing={isTyping && canType}>
      <div className="terminal-head wrap">
        <output className="terminal-state" data-state={state}>
          {words[state]}
        </output>
        <span className="muted small">{sayHow({ state, isLog, isTyping })}</span>
        {!isLog && state !== "none" && (
          <button
            type="button"
            aria-pressed={isTyping && canType}
            disabled={!canType}
            onClick={() => setTyping(!isTyping)}
          >
            {isTyping && canType ? "Release keyboard" : "Take keyboard"}
          </button>
        )}
      </div>
      <section
        className="terminal-screen"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="Output"
        onKeyDown={(event) => scroll(event, hands.current?.terminal, isTyping)}
      >
        <div ref={box} className="terminal-box" />
      </section>
    </section>
  );
}

function sayHow({ state, isLog, isTyping }: { state: TerminalState; isLog: boolean; isTyping: boolean }): string {
  if (state !== "live") return "";
  if (isLog) return "This program runs without a terminal: its output is read-only.";
  return isTyping ? "What you type goes to the agent. Shift+Esc releases the keyboard." : "Read-only";
}

interface Ears {
  onState(state: TerminalState): void;
  onLog(isLog: boolean): void;
  onLeave(): void;
}

function open(box: HTMLElement, id: string, ears: Ears): Hands & { close(): void } {
  const forbidStyles = allowTerminalStyles();
  const terminal = new Terminal({
    allowProposedApi: false,
    convertEol: false,
    cursorBlink: false,
    cursorInactiveStyle: "none",
    disableStdin: true,
    fontFamily: getComputedStyle(box).fontFamily,
    fontSize: 13,
    // Addresses in what a program shows are text: nothing opens from them.
    linkHandler: { activate: () => undefined },
    screenReaderMode: true,
    scrollback: 5_000,
    theme: terminalColours,
  });
  silenceReplies(terminal);
  terminal.open(box);
  const link = new TerminalLink(id, {
    onData: (text) => terminal.write(text),
    onScreen({ isReadOnly }) {
      terminal.reset();
      ears.onLog(isReadOnly);
    },
    onState: ears.onState,
  });
  terminal.onData((text) => link.type(text));
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key !== "Escape" || !event.shiftKey) return true;
    if (event.type === "keydown") ears.onLeave();
    return false;
  });
  const adapt = (): void => {
    const size = sizeFor(box, terminal);
    terminal.resize(size.cols, size.rows);
    link.resize(size);
  };
  link.start(sizeFor(box, terminal));
  adapt();
  const watch = new ResizeObserver(adapt);
  watch.observe(frameOf(box));
  return {
    terminal,
    link,
    close() {
      watch.disconnect();
      link.stop();
      terminal.dispose();
      forbidStyles();
    },
  };
}

/** Narrower than the first programs draw over themselves; the frame is scrolled sideways instead. */
const columns = [80, 400] as const;
const rows = [10, 200] as const;
const scrollbarPx = 14;

function sizeFor(box: HTMLElement, terminal: Terminal): { cols: number; rows: number } {
  const screen = box.querySelector(".xterm-screen");
  const width = (screen?.clientWidth ?? 0) / terminal.cols || 8;
  const height = (screen?.clientHeight ?? 0) / terminal.rows || 16;
  const frame = frameOf(box);
  const padding = 2 * Number.parseFloat(getComputedStyle(box).paddingTop);
  const fitting = (length: number, cell: number, [fewest, most]: readonly [number, number]): number =>
    Math.min(most, Math.max(fewest, Math.floor((length - padding) / cell)));
  return {
    cols: fitting(frame.clientWidth - scrollbarPx, width, columns),
    rows: fitting(frame.clientHeight, height, rows),
  };
}

/** What the terminal must adapt into; its own box grows with it. */
const frameOf = (box: HTMLElement): HTMLElement => box.parentElement ?? box;

/** Whoever only reads scrolls with the keys that scroll a page. */
function scroll(event: KeyboardEvent, terminal: Terminal | undefined, isTyping: boolean): void {
  if (!terminal || isTyping) return;
  const page = terminal.rows - 1;
  const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -1e6, End: 1e6 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  terminal.scrollLines(step);
}
