/** The owner as a caller, found in the store itself: a restarted server has no first token to show. */
export async function findOwner(house) {
  const owner = await house.store.read((db) => db.first(db.q.selectFrom("developer").selectAll()));
  const { id: developerId, teamId, handle, role } = owner;
  return {
    developerId,
    teamId,
    handle,
    role,
    isPrivate: false,
    tokenId: "tok_none",
    agentType: null,
    instanceId: null,
  };
}
