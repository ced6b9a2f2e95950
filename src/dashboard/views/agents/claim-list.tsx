import { callTool } from "../../data/api.ts";
import { sayLength } from "../../parts/say-age.ts";
import { useNow } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { type Claim, sayHeld } from "./agents-model.ts";

/** Claims on code: what is held, how long still, and a way to release one's own. */
export function ClaimList({ claims, namesHolder = false }: { claims: readonly Claim[]; namesHolder?: boolean }) {
  const now = useNow();
  return (
    <ul className="claims">
      {claims.map((claim) => (
        <li key={claim.claim_id}>
          <span className="claims-what">
            <code>{sayHeld(claim)}</code>
            <span className="muted small">
              {namesHolder && `${claim.holder} · `}
              {[claim.repo, claim.branch ?? "all branches", claim.exclusive ? "exclusive" : "shared"].join(" · ")}
            </span>
          </span>
          <span className="muted small number" title={new Date(claim.expires_at).toLocaleString()}>
            {sayLease(claim.expires_at, now)}
          </span>
          {claim.mine && (
            <button type="button" onClick={() => void release(claim)}>
              Release<span className="only-spoken"> {sayHeld(claim)}</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function sayLease(expiresAt: string, now: number): string {
  const left = Date.parse(expiresAt) - now;
  return left > 0 ? `${sayLength(left)} left` : "expired";
}

const release = ({ claim_id }: Claim): Promise<boolean> =>
  attempt(() => callTool("covibe_coordination", { operation: "release", claim_id }), "Claim released.");
