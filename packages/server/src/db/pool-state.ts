/** Connections to the database, and calls that wait for one. */
export interface PoolState {
  size: number
  idle: number
  waiting: number
  /** The most connections that may be open. */
  limit: number
}
