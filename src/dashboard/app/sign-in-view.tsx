import { useState } from "react";
import { post } from "../data/api.ts";
import { deck } from "../data/deck.ts";
import { renewPageSecret } from "../data/page-secret.ts";
import { asFailure } from "../data/store.ts";
import { usePlace } from "../page/router.ts";
import { Command } from "../parts/command.tsx";
import { Form } from "../parts/form.tsx";
import "./sign-in.css";

/** The door: a link on this machine, a token from anywhere else. */
export function SignIn() {
  const { query } = usePlace();
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const isExpired = query.get("signin") === "expired";

  async function send(): Promise<void> {
    try {
      renewPageSecret();
      await post("/api/login", { token });
      setToken("");
      await deck.begin();
    } catch (error) {
      setProblem(asFailure(error).message);
    }
  }

  return (
    <main className="centred">
      <div className="door">
        <h1>
          <img src="/icon.svg" alt="" width="24" height="24" /> Crewdeck
        </h1>
        {isExpired && <p role="alert">This link has expired or was already used. Get a new one:</p>}
        <p>
          On the machine that runs the server, open the deck with (<code>npm start</code> in a clone):
        </p>
        <Command text="crewdeck up" />
        <Form className="" send={send}>
          <label htmlFor="token">Or sign in with a token</label>
          <div className="wrap">
            <input
              id="token"
              type="password"
              autoComplete="off"
              required
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
            <button type="submit" className="primary">
              Sign in
            </button>
          </div>
          {problem && (
            <p role="alert" className="door-problem">
              {problem} Create one with <code>crewdeck token create</code>.
            </p>
          )}
        </Form>
      </div>
    </main>
  );
}
