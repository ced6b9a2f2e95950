import { useState } from "react";
import { type AgentType, agentTypes } from "../../../contract/caller.ts";
import { callTool } from "../../data/api.ts";
import { useReading } from "../../data/use-reading.ts";
import { Copied } from "../../parts/command.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import { Select } from "../../parts/select.tsx";
import { Show } from "../../parts/states.tsx";
import { TimeAgo, useNow } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { sayExpiry, sortTokens, type Token, tokensReading } from "./settings-model.ts";

/** Tokens: made here, shown once, revoked at once. */
export function Tokens() {
  const shown = useReading(tokensReading);
  const [secret, setSecret] = useState<string>();
  return (
    <div className="stack settings-part">
      <NewToken onMade={setSecret} />
      <Show shown={shown} what="tokens" isEmpty={(tokens) => tokens.length === 0} empty={<p>No tokens.</p>}>
        {(tokens) => (
          <div className="settings-scroll">
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">For</th>
                  <th scope="col">Owner</th>
                  <th scope="col">Created</th>
                  <th scope="col">Last used</th>
                  <th scope="col">Expires</th>
                  <th scope="col">
                    <span className="only-spoken">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {sortTokens(tokens).map((token) => (
                  <TokenRow key={token.id} token={token} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Show>
      {secret && (
        <Dialog title="New token" onClose={() => setSecret(undefined)}>
          <p>Copy it now: it won’t be shown again.</p>
          <Copied text={secret} />
        </Dialog>
      )}
    </div>
  );
}

function NewToken({ onMade }: { onMade(secret: string): void }) {
  const [label, setLabel] = useState("");
  const [type, setType] = useState<AgentType>();
  const [days, setDays] = useState("");
  const make = () =>
    attempt(async () => {
      const { token } = await callTool("token_create", {
        ...(label.trim() === "" ? {} : { label: label.trim() }),
        ...(type === undefined ? {} : { agent_type: type }),
        ...(days === "" ? {} : { expires_in_days: Number(days) }),
      });
      setLabel("");
      if (token !== null) onMade(token);
    });
  return (
    <Form className="wrap" send={make}>
      <input
        aria-label="Label"
        placeholder="Label"
        value={label}
        maxLength={100}
        onChange={(event) => setLabel(event.target.value)}
      />
      <Select
        label="Kind"
        all="For a person"
        value={type ?? ""}
        choices={agentTypes.map((value) => ({ value, label: `For ${value}` }))}
        onChange={(chosen) => setType(agentTypes.find((known) => known === chosen))}
      />
      <Select
        label="Expiry"
        all="Never expires"
        value={days}
        choices={["7", "30", "90", "365"].map((value) => ({ value, label: `Expires in ${value} days` }))}
        onChange={setDays}
      />
      <button type="submit" className="primary">
        Create token
      </button>
    </Form>
  );
}

function TokenRow({ token }: { token: Token }) {
  const [isSure, setSure] = useState(false);
  const now = useNow();
  const revoke = () => {
    if (!isSure) return setSure(true);
    void attempt(() => callTool("token_revoke", { id: token.id }), "Token revoked.");
  };
  return (
    <tr>
      <th scope="row">
        {token.label} {token.browser && <span className="chip">browser</span>}
        {token.agent_type && <span className="chip">{token.agent_type}</span>}
      </th>
      <td>{token.developer}</td>
      <td>
        <TimeAgo at={token.created_at} />
      </td>
      <td>{token.last_used_at ? <TimeAgo at={token.last_used_at} /> : "never"}</td>
      <td>{sayExpiry(token, now)}</td>
      <td className="settings-act">
        {token.revoked_at ? (
          <span className="muted small">revoked</span>
        ) : (
          <button type="button" className="danger" onClick={revoke} onBlur={() => setSure(false)}>
            {isSure ? "Confirm: revoke" : "Revoke"}
            <span className="only-spoken"> {token.label}</span>
          </button>
        )}
      </td>
    </tr>
  );
}
