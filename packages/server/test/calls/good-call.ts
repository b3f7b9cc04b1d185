import type { Targets } from './call-targets.ts'

export interface GoodCall {
  /** Distinguishes several calls of one endpoint. */
  when?: string
  params?: Record<string, string | number>
  query?: string
  body?: unknown
  headers?: Record<string, string>
  /** For an endpoint with `file`. */
  file?: Buffer
  /** The exact status for a caller with the permission. */
  status: number
  /** The exact status for a USER, when it depends on the target. */
  ofUser?: number
}

/** Good calls by `METHOD url`, made for the targets of one call. */
export type GoodCalls = Record<string, (targets: Targets) => GoodCall[] | Promise<GoodCall[]>>
