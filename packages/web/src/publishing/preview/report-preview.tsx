import { useElementSize } from '@mantine/hooks'
import { IconReportOff } from '@tabler/icons-react'
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { isUprightPhone, onPhoneTurned, reportPreparation, useFrame } from '../../reports/index.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { openPreview, type ShownPreview } from './open-preview.ts'
import classes from './report-preview.module.css'

interface ReportPreviewProps {
  previa: ShownPreview
  nomeRelatorio: string
  /** Asks for another preview. */
  onRenew: () => void
}

type Phase = { name: 'carregando' | 'renderizado' } | { name: 'parado'; why: string }

/** Draws a report that is not published yet with the embed page. A new `previa` replaces it. */
const ReportPreview = ({ previa, nomeRelatorio, onRenew }: ReportPreviewProps) => {
  const element = useRef<HTMLDivElement>(null)
  const frame = useFrame(reportPreparation.frames, element)
  const page = useRef<string>(undefined)
  // Each layout needs its own frame.
  const isPhone = useSyncExternalStore(onPhoneTurned, isUprightPhone)
  const { ref: stage, width, height } = useElementSize()
  const [phase, setPhase] = useState<Phase>({ name: 'carregando' })
  const open = useEffectEvent((shown: ShownPreview, signal: AbortSignal) => {
    const stop = (why: string) => setPhase({ name: 'parado', why })
    void openPreview({
      previa: shown,
      nomeRelatorio,
      frame,
      signal,
      pageName: page.current,
      onDrawn: () => setPhase({ name: 'renderizado' }),
      onPage: (name) => {
        page.current = name
      },
      onExpired: () => stop('A prévia expirou.'),
      onProblem: stop,
    })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other layout is drawn again
  useEffect(() => {
    const life = new AbortController()
    setPhase({ name: 'carregando' })
    open(previa, life.signal)
    return () => life.abort()
  }, [previa, isPhone])
  return (
    <div
      ref={stage}
      className={classes.stage}
      data-preview={phase.name}
      aria-busy={phase.name === 'carregando'}
    >
      <div
        ref={element}
        className={classes.frame}
        style={isPhone || width === 0 ? undefined : sizeIn(width, height)}
        inert={phase.name === 'parado'}
      />
      {phase.name === 'parado' && (
        <div className={classes.message}>
          <InlineMessage
            alert
            icon={IconReportOff}
            action={<ActionButton size="xs" label="Desenhar de novo" onClick={onRenew} />}
          >
            {phase.why}
          </InlineMessage>
        </div>
      )}
    </div>
  )
}

/** Pixels of the narrowest frame in which the embed page keeps the layout of the report. */
const LEAST_WIDTH = 960

/** Returns the frame's size. A narrower stage shows the report smaller, in the same layout. */
const sizeIn = (width: number, height: number): CSSProperties => {
  const scale = Math.min(1, width / LEAST_WIDTH)
  return { width: width / scale, height: height / scale, transform: `scale(${scale})` }
}

export default ReportPreview
