import {
  type CallLimits,
  type Connection,
  createConnectionCalls,
  createEntraTokens,
  type ProviderFile,
  ProviderRefusal,
  streamFromProvider,
} from '../../../connections/index.ts'

/** The scope of a token that reads the archive of the local report service, and nothing else. */
const archiveScope = 'urn:bi-manager:archive/.default'

/** Milliseconds without a byte: the service links all its files before it answers. */
const archiveWaitMs = 120_000

/**
 * Opens the archive of the local report service: a tar with everything that it needs to come back.
 * The caller must read it at once: the service ends an answer without progress.
 */
export const openReportArchive = (
  connection: Connection,
  { addresses, timeoutMs }: CallLimits,
): Promise<ProviderFile> => {
  const limits = { addresses, timeoutMs }
  const tokens = createEntraTokens({ ...limits, now: () => new Date(), scope: archiveScope })
  const { asConnection } = createConnectionCalls({ ...limits, tokens })
  const sent = { operation: 'readArchive', path: '/archive', timeoutMs: archiveWaitMs }
  return asConnection(connection, sent, streamFromProvider)
}

/** Returns the code with which the service refused a call; undefined for another error. */
export const refusalCodeOf = (error: unknown): string | undefined => {
  const { cause } = error as Error
  return cause instanceof ProviderRefusal ? cause.code : undefined
}
