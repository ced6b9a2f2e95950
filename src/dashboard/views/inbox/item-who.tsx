import { Who } from "../../parts/who.tsx";
import type { Item } from "./inbox-model.ts";

/** The agent, where one is known; else the developer. */
export const ItemWho = ({ item }: { item: Item }) =>
  item.agent_id === null ? (item.from ?? item.developer) : <Who id={item.agent_id} isPlain />;
