import { ApiProblem, guestVisitsApi, type Visit } from '@bi-manager/contract'
import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { IconDoorExit, IconLogout, IconReportOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { messageOf } from '../../../lib/api/api.ts'
import { callerOf } from '../../../lib/api/bearer-call.ts'
import { useSubmission } from '../../../lib/forms/use-submission.ts'
import { usePageTitle } from '../../../lib/navigation/page-title.ts'
import { endVisit, useVisit } from '../../../lib/session/visit.ts'
import { brandName } from '../../../lib/text/brand.ts'
import { fullTime } from '../../../lib/text/relative-time.ts'
import {
  isUprightPhone,
  onPhoneTurned,
  reportPreparation,
  useFrame,
  ViewerSkeleton,
} from '../../../reports/index.ts'
import viewer from '../../../reports/viewer/report-viewer.module.css'
import { ActionButton } from '../../../ui/action-button.tsx'
import { BrandMark } from '../../../ui/brand-mark.tsx'
import { PageMessage } from '../../../ui/page/page-message.tsx'
import classes from './guest.module.css'
import { openGuestReport } from './open-guest-report.ts'

/** Milliseconds between two questions: a revoked guest loses the report within this time. */
const everyMs = 30_000

/** '/visita/relatorio': the report of a guest's visit, with nothing of the portal around it. */
export const GuestPage = () => {
  const credential = useVisit()
  return credential ? <OpenVisit key={credential} credential={credential} /> : <VisitOver />
}

const VisitOver = () => (
  <div className={classes.page}>
    <GuestHeader />
    <main className={classes.main}>
      <PageMessage icon={IconDoorExit} heading="A visita terminou">
        Para ver o relatório de novo, abra a página do convite, pelo primeiro e-mail, e peça outro link.
      </PageMessage>
    </main>
  </div>
)

const OpenVisit = ({ credential }: { credential: string }) => {
  const call = useMemo(() => callerOf(credential), [credential])
  const over = () => endVisit(credential)
  const {
    data: visit,
    error,
    refetch,
  } = useQuery({
    queryKey: ['visita', credential],
    queryFn: ({ signal }) => call(guestVisitsApi.get, {}, { signal }),
    refetchInterval: everyMs,
    gcTime: 0,
    retry: false,
  })
  const isOver = error instanceof ApiProblem && error.status === 401
  useEffect(() => {
    if (isOver) endVisit(credential)
  }, [isOver, credential])
  const leaving = useSubmission(() => call(guestVisitsApi.leave), over)
  usePageTitle(visit?.nomeRelatorio)
  return (
    <div className={classes.page}>
      <GuestHeader visit={visit}>
        <ActionButton
          icon={IconLogout}
          label="Sair"
          size="sm"
          loading={leaving.isPending}
          onClick={leaving.submit}
        />
      </GuestHeader>
      <main className={classes.main}>
        {leaving.problem && (
          <Text role="alert" p="sm" size="sm">
            {leaving.problem}
          </Text>
        )}
        {visit ? (
          <GuestReport call={call} visit={visit} onOver={over} />
        ) : error && !isOver ? (
          <PageMessage
            icon={IconReportOff}
            heading="O relatório não pôde ser aberto"
            actions={<ActionButton label="Tentar novamente" onClick={() => void refetch()} />}
          >
            {messageOf(error)}
          </PageMessage>
        ) : (
          <div className={viewer.stage} aria-busy>
            <ViewerSkeleton />
          </div>
        )}
      </main>
    </div>
  )
}

const GuestHeader = ({ visit, children }: { visit?: Visit | undefined; children?: React.ReactNode }) => (
  <header className={classes.header}>
    <span className={classes.brand}>
      <BrandMark size={28} />
      <span className={classes.brandName}>{brandName}</span>
    </span>
    <div className={classes.names}>
      {visit ? (
        <h1 className={classes.title}>{visit.nomeRelatorio}</h1>
      ) : (
        children && <Skeleton height={20} />
      )}
      {visit && (
        <p className={classes.guest}>
          {visit.emailConvidado} · visita até {fullTime(visit.expiraEm)}
        </p>
      )}
    </div>
    {children}
  </header>
)

interface GuestReportProps {
  call: ReturnType<typeof callerOf>
  visit: Visit
  onOver: () => void
}

type Phase = { name: 'carregando' | 'renderizado' } | { name: 'parado'; why: string }

const GuestReport = ({ call, visit: { nomeRelatorio }, onOver }: GuestReportProps) => {
  const element = useRef<HTMLDivElement>(null)
  const frame = useFrame(reportPreparation.frames, element)
  // Each layout needs its own frame.
  const isPhone = useSyncExternalStore(onPhoneTurned, isUprightPhone)
  const [phase, setPhase] = useState<Phase>({ name: 'carregando' })
  const [attempt, setAttempt] = useState(0)
  const open = useEffectEvent((signal: AbortSignal) => {
    void openGuestReport({
      call,
      nomeRelatorio,
      frame,
      signal,
      onOver,
      onDrawn: () => setPhase({ name: 'renderizado' }),
      onProblem: (why) => setPhase({ name: 'parado', why }),
    })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other layout, and a retry, open again
  useEffect(() => {
    const life = new AbortController()
    setPhase({ name: 'carregando' })
    open(life.signal)
    return () => life.abort()
  }, [isPhone, attempt])
  const isStopped = phase.name === 'parado'
  return (
    <section
      className={viewer.stage}
      aria-label={`Relatório ${nomeRelatorio}`}
      aria-busy={phase.name === 'carregando'}
      data-guest={phase.name}
    >
      <div ref={element} className={viewer.frame} data-hidden={isStopped || undefined} inert={isStopped} />
      {phase.name === 'carregando' && (
        <>
          <ViewerSkeleton />
          <VisuallyHidden role="status">Abrindo o relatório…</VisuallyHidden>
        </>
      )}
      {isStopped && (
        <div className={classes.message} role="alert">
          <PageMessage
            icon={IconReportOff}
            level={2}
            heading="O relatório não pôde ser aberto"
            actions={
              <ActionButton label="Tentar novamente" onClick={() => setAttempt((count) => count + 1)} />
            }
          >
            {phase.why}
          </PageMessage>
        </div>
      )}
    </section>
  )
}
