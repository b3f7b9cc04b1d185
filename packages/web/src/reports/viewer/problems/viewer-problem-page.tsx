import { Button, Text, VisuallyHidden } from '@mantine/core'
import { type Icon, IconChartBarOff, IconClockPause, IconCloudOff, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { HOME } from '../../../lib/navigation/destination.ts'
import { inSeconds } from '../../../lib/text/wait-sentence.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { PageMessage } from '../../../ui/page/page-message.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { CapacityStart } from './capacity-start.tsx'
import { returnFocusToViewer } from './return-focus.ts'
import type { ViewerProblem } from './viewer-problem.ts'
import classes from './viewer-problem-page.module.css'

interface ViewerProblemPageProps {
  problem: ViewerProblem
  /** When the next automatic attempt starts (ms since the epoch). */
  reopensAt: number | undefined
  isReopening: boolean
  retry: () => void
  /** The link with which an administrator solves it. */
  fix?: ReactNode
  /** With which a person asks for access to a report that is not granted. */
  request?: ReactNode
}

/** Covers the frame, in the place of the report. */
export const ViewerProblemPage = ({
  problem,
  reopensAt,
  isReopening,
  retry,
  fix,
  request,
}: ViewerProblemPageProps) => {
  const { title, detail, action, code, reopens, isStarting } = problem
  const mayAsk = reopens === 'access' && !!request
  return (
    <div className={classes.page} role="alert" ref={returnFocusToViewer}>
      <PageMessage
        level={2}
        icon={iconOf(problem)}
        heading={title}
        actions={
          <>
            {mayAsk && request}
            {fix}
            <Button onClick={retry} variant={action === 'retry' ? 'filled' : 'default'}>
              Tentar novamente
            </Button>
            <ActionButton
              variant={action === 'retry' || mayAsk ? 'default' : 'filled'}
              label="Ver meus relatórios"
              to={HOME}
            />
          </>
        }
      >
        {detail}
        {reopens === 'access' && ' Assim que for liberado, ele abre aqui.'}
        {isStarting ? (
          <CapacityStart />
        ) : (
          reopensAt !== undefined && <NextAttempt at={reopensAt} isUnderWay={isReopening} />
        )}
      </PageMessage>
      {code && (
        <Text c="dimmed" fz="xs" mb="1.5rem">
          Código: {code}
        </Text>
      )}
    </div>
  )
}

/** Hides the countdown from screen readers, which would announce it every second. */
const NextAttempt = ({ at, isUnderWay }: { at: number; isUnderWay: boolean }) => {
  const seconds = Math.ceil((at - useNow(1_000)) / 1_000)
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
