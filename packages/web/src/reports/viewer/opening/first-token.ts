import type { EmbeddedReport } from '@bi-manager/contract'
import { call, callInBackground } from '../../../lib/api/api.ts'
import { requestToken } from '../tokens/request-token.ts'
import type { EarlyLoad } from './early-load.ts'
import type { OpeningInput } from './opening-input.ts'
import { reportPreparation } from './report-preparation.ts'

interface FirstTokenOptions {
  early: EarlyLoad | undefined
  /** The portal reopens the report on its own, or in another layout. */
  isReopening: boolean
  signal: AbortSignal
  /** Called when the token had been prefetched, which does not count as use of the session. */
  onPrefetched: () => void
}

/** Takes the prefetched token of an opening, or requests one. */
export const firstToken = async (
  input: OpeningInput,
  { early, isReopening, signal, onPrefetched }: FirstTokenOptions,
): Promise<EmbeddedReport> => {
  const { address, viewAs } = input
  const request = () => requestToken(input, isReopening ? callInBackground : call, signal)
  if (viewAs !== undefined) return request()
  const prefetched = early?.embedded ?? (await reportPreparation.tokens.take(address))
  signal.throwIfAborted()
  if (!prefetched) return request()
  // Opening the report counts as use.
  if (!isReopening) onPrefetched()
  return prefetched
}
