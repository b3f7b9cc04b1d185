import { serverNow } from '../../../lib/api/connection.ts'
import { useNow } from '../../../ui/use-now.ts'
import classes from './kiosk.module.css'
import type { PlayerStatus } from './rotation-player.ts'
import { pastTime, readTime, sentenceOf, titleOf } from './shown-texts.ts'

/** Milliseconds after a page's own time from which its data is called outdated. */
const lateMs = 60_000

/** Says below the report which one it is and when its data was read: a screen has no menu to look it up. */
export const StatusStrip = ({
  status,
  silentSince,
}: {
  status: PlayerStatus
  silentSince: number | undefined
}) => {
  useNow(10_000)
  const { shown, isPaused } = status
  const problem = stripProblem(status, silentSince, serverNow())
  return (
    <div className={classes.strip}>
      <span className={classes.stripTitle}>{shown && titleOf(shown)}</span>
      <p role="status" className={problem === undefined ? undefined : classes.notice}>
        {problem ?? (shown && `${isPaused ? 'Em pausa · dados' : 'Dados'} ${readTime(shown)}`)}
      </p>
    </div>
  )
}

/** Returns what keeps the screen from showing recent data; undefined while it does. */
const stripProblem = (
  { shown, isPaused, error }: PlayerStatus,
  silentSince: number | undefined,
  now: number,
): string | undefined => {
  if (silentSince !== undefined)
    return `Sem conexão desde ${pastTime(silentSince, now)}${shown ? ` · dados ${readTime(shown)}` : ''}`
  if (!shown || isPaused || !error) return undefined
  const isLate = now > shown.drawnAt + shown.page.segundos * 1_000 + lateMs
  return isLate ? `Dados ${readTime(shown)}, sem atualização. ${sentenceOf(error)}` : undefined
}
