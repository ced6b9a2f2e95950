import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";

/** Sends one server-sent event with this data. */
type SendEvent = (name: string, data: unknown) => void;

/** Answers with events as they come, and ends the answer with the work. */
export function streamEvents(reply: FastifyReply, work: (send: SendEvent) => Promise<void>): FastifyReply {
  const events = new PassThrough();
  void work((name, data) => void events.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)).finally(() =>
    events.end(),
  );
  return reply.type("text/event-stream; charset=utf-8").send(events);
}
