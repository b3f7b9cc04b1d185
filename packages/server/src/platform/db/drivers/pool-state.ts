/** Connections to the database, and calls that wait for one. */
export interface PoolState {
  size: number
  idle: number
  waiting: number
  /** Maximum of open connections. */
  limit: number
}
