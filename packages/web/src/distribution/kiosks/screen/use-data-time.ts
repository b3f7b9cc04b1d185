import { kioskScreenApi } from '@bi-manager/contract'
import { useEffect, useRef, useState } from 'react'
import { callerOf } from '../../../lib/api/bearer-call.ts'
import type { Shown } from './rotation-player.ts'

/** Milliseconds between two questions about one page: the server remembers the answer for so long. */
const everyMs = 5 * 60_000
const callLimitMs = 15_000

/**
 * Returns when the data of the page on the screen was refreshed (ISO); undefined while that is not
 * known, or when it was refreshed after the page was drawn.
 */
export const useDataTime = (credential: string, shown: Shown | undefined): string | undefined => {
  const [times, setTimes] = useState<ReadonlyMap<number, string | null>>(new Map())
  const askedAt = useRef(new Map<number, number>())
  const id = shown?.page.idTelaoPagina
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when a page returns
  useEffect(() => {
    const asked = askedAt.current
    if (id === undefined || performance.now() - (asked.get(id) ?? Number.NEGATIVE_INFINITY) < everyMs)
      return undefined
    asked.set(id, performance.now())
    const life = new AbortController()
    callerOf(credential)(
      kioskScreenApi.dataTime,
      { params: { id } },
      { signal: life.signal, limitMs: callLimitMs },
    ).then(
      ({ atualizadosEm }) => setTimes((before) => new Map(before).set(id, atualizadosEm)),
      // The next showing of the page asks again.
      () => asked.delete(id),
    )
    return () => life.abort()
  }, [credential, id, shown?.turn])
  const time = (id !== undefined && times.get(id)) || undefined
  return shown && time && Date.parse(time) <= shown.drawnAt ? time : undefined
}
