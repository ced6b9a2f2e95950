import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import { DeviceRequest, PollRequest } from "../../contract/device.ts";
import { Refusal } from "../../contract/refusal.ts";
import { violationsOf } from "../../contract/violations.ts";
import { askForDevice, pollForDevice } from "../../engine/device.ts";
import type { House } from "../../engine/house.ts";
import { answer } from "./answer.ts";
import { cookieToken } from "./identity.ts";
import { RateLimit, sourceOf } from "./rate-limit.ts";

/**
 * How a machine that has no token yet gets one: it asks, a person approves with `device_approve`, it polls (RFC 8628).
 * Strangers may call both routes, so each address has only so many tries.
 */
export function mountDevice(app: FastifyInstance, { house }: { house: House }): void {
  const { now } = house.sources;
  const requests = new RateLimit({ capacity: 10, perSecond: 0.1, now });
  const polls = new RateLimit({ capacity: 60, perSecond: 2, now });

  app.post("/api/setup/device", async (request, reply) => {
    admit(requests, request);
    const { machine_name: machineName, agents } = read(DeviceRequest, request.body);
    const codes = await askForDevice(house, { machineName, agents });
    return answer(house, request, reply, {
      device_code: codes.deviceCode,
      user_code: codes.userCode,
      verification_uri: `${request.protocol}://${request.host}/deck/device`,
      expires_in: codes.livesSeconds,
      interval: codes.pollEverySeconds,
    });
  });

  app.post("/api/setup/device/poll", async (request, reply) => {
    admit(polls, request);
    const { device_code: code } = read(PollRequest, request.body);
    const { outcome, tokens, pollEverySeconds } = await pollForDevice(house, code);
    return answer(house, request, reply, {
      status: outcome,
      interval: pollEverySeconds,
      ...(tokens === undefined ? {} : { tokens }),
    });
  });
}

function admit(limit: RateLimit, request: FastifyRequest): void {
  // Nobody has to be signed in here, but whoever is must say from which page they come, as on every route (SE20).
  cookieToken(request.raw);
  const seconds = limit.take(sourceOf(request.socket.remoteAddress));
  if (seconds === 0) return;
  throw new Refusal("RATE_LIMITED", "Too many requests in a short time.", undefined, { retryAfterSeconds: seconds });
}

function read<Body extends z.ZodObject>(schema: Body, body: unknown): z.output<Body> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  throw new Refusal("INVALID_REQUEST", "The body does not fit.", undefined, {
    details: violationsOf(parsed.error, body ?? {}, schema),
  });
}
