import type { CountPublicCall } from '../../http/public-calls.ts'
import type { Tokens } from '../../http/tokens.ts'
import type { ServiceFile } from './service-file.ts'

/** What the token endpoints need. */
export type OauthOptions = {
  credentials: ServiceFile
  tokens: Tokens
  tokenSeconds: number
  countPublicCall: CountPublicCall
  now: () => number
  reportsUrl: string
  dataDir: string
}
