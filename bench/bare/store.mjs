import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";

/** The floor of a durable write: the same row and the same two events, saved by a commit of their own. */
export function openBareStore(folder) {
  const db = new DatabaseSync(join(folder, "bare.db"));
  db.exec("pragma journal_mode = wal");
  db.exec("pragma synchronous = full");
  db.exec("create table agent (id integer primary key, beat integer); insert into agent values (1, 0)");
  db.exec("create table event (seq integer primary key, at integer, kind text, data text)");
  const update = db.prepare("update agent set beat = ? where id = 1");
  const insert = db.prepare("insert into event (at, kind, data) values (?, ?, ?)");
  const data = JSON.stringify({ status: "online", current_task_id: null });
  return {
    write() {
      const now = Date.now();
      db.exec("begin immediate");
      update.run(now);
      insert.run(now, "agent.heartbeat", data);
      insert.run(now, "agent_heartbeat", data);
      db.exec("commit");
    },
    close: () => db.close(),
  };
}
