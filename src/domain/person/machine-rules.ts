import { type Machine, type MachineState, machineKeptMs, mostMachines } from "./machine-model.ts";

/** Those that go when another is reported, of a list with the last heard of first. */
export const findOutdated = (others: readonly Machine[], now: number): Machine[] =>
  others.filter(({ reportedAt }, at) => reportedAt < now - machineKeptMs || at >= mostMachines - 1);

/** A watcher that can't find a client's program doesn't know what the client would say; what it said last stays. */
export const withWhatWasHeard = (state: MachineState, before: MachineState): MachineState => ({
  ...state,
  clients: state.clients.map((client) => {
    const known = before.clients.find((one) => one.client === client.client);
    const isSet = client.entry === "set_up" && known?.entry === "set_up";
    return isSet && client.listing === null ? { ...client, listing: known.listing } : client;
  }),
});
