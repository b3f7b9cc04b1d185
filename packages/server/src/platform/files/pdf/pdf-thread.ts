import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { drawPdf } from './draw-pdf.ts'
import type { PdfHead, PdfPart } from './pdf-document.ts'

/** What the thread receives: a head, then more parts at each request; `null` after the last. */
export type PdfMessage = { head: PdfHead } | { parts: PdfPart[] | null }
export type PdfReply = 'more' | { bytes: Uint8Array } | { error: string }

const port = parentPort
if (!port) throw new Error('This file runs as a thread.')
const reply = (message: PdfReply) => port.postMessage(message)

async function* askedParts(): AsyncGenerator<PdfPart> {
  for (;;) {
    const next = once(port as NonNullable<typeof port>, 'message')
    reply('more')
    const [{ parts }] = await next
    if (!parts) return
    yield* parts
  }
}

port.on('message', async (message: PdfMessage) => {
  if (!('head' in message)) return
  try {
    reply({ bytes: await drawPdf({ ...message.head, parts: askedParts() }) })
  } catch (error) {
    reply({ error: (error as Error).message })
  }
})
