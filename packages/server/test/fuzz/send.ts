import { Agent, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { FuzzRequest } from './requests.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

const unpacked = (body: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): Buffer => {
  if (encoding === 'gzip') return gunzipSync(body)
  if (encoding === 'br') return brotliDecompressSync(body)
  if (encoding === 'zstd') return zstdDecompressSync(body)
  return encoding === 'deflate' ? inflateSync(body) : body
}

/** Milliseconds within which every answer must arrive, also on a busy machine. */
const limit = 15_000

/**
 * Sends requests over a real socket, exactly as given.
 * @throws when the answer does not arrive in time
 */
export const createSender = (port: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const sendOnce = (request: FuzzRequest, fresh: boolean): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { method, path, headers, body } = request
      const length = body ? { 'content-length': String(body.byteLength) } : {}
      const outgoing = sendRequest(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { ...length, ...headers },
          agent: fresh ? false : agent,
          signal: AbortSignal.timeout(limit),
        },
        (response) => {
          const { statusCode: status = 0, headers } = response
          if (headers['content-type']?.startsWith('text/event-stream')) {
            // The event stream never ends.
            response.destroy()
            resolve({ status, headers, body: Buffer.alloc(0) })
            return
          }
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status, headers, body: unpacked(Buffer.concat(chunks), headers) }),
          )
          response.on('error', reject)
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return {
    send: async (request: FuzzRequest): Promise<Answer> => {
      try {
        return await sendOnce(request, false)
      } catch (error) {
        // The server has just closed the kept-alive connection, whatever the request.
        if (!/^(ECONNRESET|EPIPE)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
        return sendOnce(request, true)
      }
    },
    close: () => agent.destroy(),
  }
}
