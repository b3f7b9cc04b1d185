import { serverNow } from '../../../lib/clock/server-clock.ts'
import { useNow } from '../../../ui/use-now.ts'
import classes from './kiosk.module.css'
import type { PlayerStatus } from './rotation-player.ts'
import { dataTimeText, pastTime, readTime, sentenceOf, titleOf } from './shown-texts.ts'

/** Milliseconds after a page's own time from which its data is called outdated. */
const lateMs = 60_000

/** Says below the report which one it is and how old its data is: a screen has no menu to look it up. */
export const StatusStrip = ({
  status,
  silentSince,
  dataTime,
}: {
  status: PlayerStatus
  silentSince: number | undefined
  /** When the data was refreshed, as far as the portal knows. */
  dataTime: string | undefined
}) => {
  useNow(10_000)
  const { shown, isPaused } = status
  const problem = stripProblem(status, { silentSince, dataTime, now: serverNow() })
  return (
    <div className={classes.strip}>
      <span className={classes.stripTitle}>{shown && titleOf(shown)}</span>
      <p role="status" className={problem === undefined ? undefined : classes.notice}>
        {problem ?? (shown && `${isPaused ? 'Em pausa · dados' : 'Dados'} ${dataTimeText(shown, dataTime)}`)}
      </p>
    </div>
  )
}

/** Returns what keeps the screen from showing recent data; undefined while it does. */
const stripProblem = (
  { shown, isPaused, error }: PlayerStatus,
  {
    silentSince,
    dataTime,
    now,
  }: { silentSince: number | undefined; dataTime: string | undefined; now: number },
): string | undefined => {
  if (silentSince !== undefined)
    return `Sem conexão desde ${pastTime(silentSince, now)}${shown ? ` · dados ${dataTimeText(shown, dataTime)}` : ''}`
  if (!shown || isPaused || !error) return undefined
  const isLate = now > shown.drawnAt + shown.page.segundos * 1_000 + lateMs
  return isLate ? `Dados ${readTime(shown)}, sem atualização. ${sentenceOf(error)}` : undefined
}
