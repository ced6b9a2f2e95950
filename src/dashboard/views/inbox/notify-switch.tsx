import { useState } from "react";
import { readPreference, savePreference } from "../../page/preference.ts";
import { say } from "../../parts/toast.tsx";

/** Lets the browser say when something new needs a person. Off until it is asked for. */
export function NotifySwitch() {
  const [isOn, setOn] = useState(isNotifying);
  if (!("Notification" in window)) return null;
  async function turn(): Promise<void> {
    const wants = !isOn;
    if (wants && (await Notification.requestPermission()) !== "granted") {
      say("Your browser blocks notifications for this page.", {
        hint: "Allow them in the browser’s address bar.",
        isBad: true,
      });
      return;
    }
    savePreference("notify", wants ? "on" : "off");
    setOn(wants);
  }
  return (
    <button type="button" aria-pressed={isOn} onClick={() => void turn()}>
      Notify me
    </button>
  );
}

export const isNotifying = (): boolean =>
  readPreference("notify") === "on" && "Notification" in window && Notification.permission === "granted";
