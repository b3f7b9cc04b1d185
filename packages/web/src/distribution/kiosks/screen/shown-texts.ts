import { messageOf } from '../../../lib/api/api.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { dayText, hourText, shortTime } from '../../../lib/text/relative-time.ts'
import { asEmbedError, embedErrorSentence } from '../../../reports/index.ts'
import type { Shown } from './rotation-player.ts'

export const titleOf = ({ page: { nomeRelatorio, tituloPagina } }: Shown): string =>
  tituloPagina ? `${nomeRelatorio} · ${tituloPagina}` : nomeRelatorio

const isToday = (at: number, now: number): boolean => dayText(at) === dayText(now)

/** Returns '22:10' of today, or '26/11/2026 22:10': a screen may stay without a network overnight. */
export const pastTime = (at: number, now: number): string =>
  isToday(at, now) ? hourText(at) : `${dayText(at)} ${hourText(at)}`

/** Returns 'de 26/11 03:10', when the data was refreshed; the time of the reading if that is unknown. */
export const dataTimeText = (shown: Shown, dataTime: string | undefined): string =>
  dataTime ? `de ${shortTime(dataTime, serverNow())}` : readTime(shown)

/** Returns 'lidos às 22:10', or 'lidos em 26/11/2026 22:10': the data itself may be older. */
export const readTime = ({ drawnAt }: Shown): string => {
  const now = serverNow()
  return `lidos ${isToday(drawnAt, now) ? 'às' : 'em'} ${pastTime(drawnAt, now)}`
}

/** Returns one of the portal's own sentences, never the text of an exception. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? messageOf(error) : embedErrorSentence(asEmbedError(error))
