import { Command, ConnectCommand, Copied } from "./command.tsx";
import "./first-minute.css";

/** From an empty deck to a connected agent in three copied lines. */
export function FirstMinute() {
  return (
    <>
      <p className="strong">No agents yet. Connect one in a minute:</p>
      <ol className="first-minute">
        <li>
          <p>In your repository’s folder, once:</p>
          <ConnectCommand client="claude" />
          <p className="muted small">or, for Codex</p>
          <ConnectCommand client="codex" />
        </li>
        <li>
          <p>Start the agent there and tell it:</p>
          <Copied text="Start a session with crewdeck and tell it what you are about to do, before you do it." />
        </li>
        <li>
          <p>It appears here. In the terminal:</p>
          <Command text="crewdeck status" />
        </li>
      </ol>
    </>
  );
}
