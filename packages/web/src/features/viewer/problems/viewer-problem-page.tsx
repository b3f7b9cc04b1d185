import { Button, VisuallyHidden } from '@mantine/core'
import { type Icon, IconChartBarOff, IconClockPause, IconCloudOff, IconLock } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { HOME } from '../../../lib/navigation/destination.ts'
import { PageMessage } from '../../../ui/page/page-message.tsx'
import { returnFocusToViewer } from './return-focus.ts'
import { inSeconds, type ViewerProblem } from './viewer-problem.ts'
import classes from './viewer-problem-page.module.css'

interface ViewerProblemPageProps {
  problem: ViewerProblem
  /** When the next automatic attempt starts (ms since the epoch). */
  reopensAt: number | undefined
  isReopening: boolean
  retry: () => void
}

/** Covers the frame, in the place of the report. */
export const ViewerProblemPage = ({ problem, reopensAt, isReopening, retry }: ViewerProblemPageProps) => {
  const { title, detail, action, code, reopens } = problem
  return (
    <div className={classes.page} role="alert" ref={returnFocusToViewer}>
      <PageMessage
        level={2}
        icon={iconOf(problem)}
        heading={title}
        actions={
          <>
            <Button onClick={retry} variant={action === 'retry' ? 'filled' : 'default'}>
              Tentar novamente
            </Button>
            <Button component={Link} to={HOME} variant={action === 'retry' ? 'default' : 'filled'}>
              Ver meus relatórios
            </Button>
          </>
        }
      >
        {detail}
        {reopens === 'access' && ' Assim que for liberado, ele abre aqui.'}
        {reopensAt !== undefined && <NextAttempt at={reopensAt} isUnderWay={isReopening} />}
      </PageMessage>
      {code && <p className={classes.code}>Código: {code}</p>}
    </div>
  )
}

/** Hides the countdown from screen readers, which would announce it every second. */
const NextAttempt = ({ at, isUnderWay }: { at: number; isUnderWay: boolean }) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((at - now) / 1_000)
  return (
    <>
      <VisuallyHidden> O portal tenta de novo sozinho.</VisuallyHidden>
      <span className={classes.next} aria-hidden>
        {isUnderWay || seconds <= 0
          ? 'Tentando de novo…'
          : `O portal tenta de novo sozinho em ${inSeconds(seconds)}.`}
      </span>
    </>
  )
}

const iconOf = ({ action, reopens }: ViewerProblem): Icon => {
  if (reopens === 'connection') return IconCloudOff
  if (action === 'leave') return IconLock
  return reopens === undefined ? IconChartBarOff : IconClockPause
}
