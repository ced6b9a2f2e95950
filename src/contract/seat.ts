/** Who sits at the other end of a connection, as far as the connection itself says so. */
export interface Seat {
  /** What its client says it is there for, such as `planning`; unchecked. */
  readonly role: string | undefined;
  /** It is on this machine, so that paths mean something. */
  readonly isHere: boolean;
}
