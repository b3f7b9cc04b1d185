import { z } from 'zod'
import type { Connection } from './connection.ts'
import type { createConnectionCalls } from './connection-calls.ts'

const Formats = z.object({ value: z.array(z.string()) })
/** Milliseconds. A form waits for it, and offers only a link without an answer. */
const formatsMs = 3_000

/** Returns a call of the local report service. Microsoft has no such call. */
export const createExportFormats =
  ({ call }: Pick<ReturnType<typeof createConnectionCalls>, 'call'>) =>
  /**
   * Returns the formats that the service can make now: without Chromium it draws no pages.
   * @throws ProviderRefusal as the service answered, 404 from one of an earlier version
   */
  async (
    connection: Connection,
    { groupId, reportId }: { groupId: string; reportId: string },
  ): Promise<string[]> => {
    const path = `/groups/${encodeURIComponent(groupId)}/reports/${encodeURIComponent(reportId)}/exportFormats`
    const sent = { operation: 'exportFormats', path, timeoutMs: formatsMs }
    return (await call(connection, sent, Formats, (refusal) => refusal)).value
  }
