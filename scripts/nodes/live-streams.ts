import { setTimeout as sleep } from 'node:timers/promises'
import { openStream } from '../../packages/server/test/accounts/live-stream.ts'
import type { Tally } from './tally.ts'

/** Milliseconds without a stream after which a page misses events. */
const longestGapMs = 10_000

/** Keeps one stream of live events open per token, and reconnects like the web app. */
export const keepStreams = (origin: string, tokens: (() => string)[], tally: Tally) => {
  let isOver = false
  const counts = { connections: 0, events: 0, longestGapMs: 0 }
  const keep = async (token: () => string) => {
    let lostAt: number | undefined
    while (!isOver) {
      const stream = await openStream(origin, token()).catch(() => undefined)
      if (!stream?.response.ok) {
        lostAt ??= Date.now()
        await sleep(1_000)
        continue
      }
      counts.connections += 1
      if (lostAt !== undefined) {
        const gapMs = Date.now() - lostAt
        counts.longestGapMs = Math.max(counts.longestGapMs, gapMs)
        if (gapMs > longestGapMs) tally.failed('avisos ao vivo', `sem avisos por ${gapMs} ms`)
      }
      let quietSince = Date.now()
      let read = 0
      while (!isOver && !stream.isClosed() && Date.now() - quietSince < 50_000) {
        await sleep(250)
        if (stream.text().length > read) quietSince = Date.now()
        read = stream.text().length
      }
      lostAt = Date.now()
      counts.events += stream.events().length
      await stream.close()
      await sleep(1_000)
    }
  }
  const running = Promise.all(tokens.map(keep))
  return {
    counts,
    stop: async () => {
      isOver = true
      await running
    },
  }
}
