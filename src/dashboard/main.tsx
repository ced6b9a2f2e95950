import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { applyTheme, readTheme } from "./app/theme.ts";
import { deck } from "./data/deck.ts";
import { listenToKeys } from "./page/keys.ts";
import "./look/tokens.css";
import "./look/base.css";
import "./look/forms.css";
import "./look/rows.css";

applyTheme(readTheme());
listenToKeys();
const root = document.getElementById("deck");
if (root) createRoot(root).render(<App />);
void deck.begin();
