import { type Incident, incidentSeverities } from '@bi-manager/contract'
import { Anchor, Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock, IconPlus, IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { Facts } from '../../ui/facts.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import { useNow } from '../../ui/use-now.ts'
import classes from './data-protection.module.css'
import { incidentsQuery } from './data-protection-queries.ts'
import { pendingNotificationsOf, sortIncidents, statusOf } from './incident-status.ts'
import { type IncidentStep, IncidentStepDialog } from './incident-step-dialog.tsx'

const CLOSED_AT_FIRST = 5

/** The register of incidents, open ones first, each with the time left until its deadline. */
export const IncidentsTab = () => {
  const { data, error, isFetching, refetch } = useQuery(incidentsQuery)
  const [marking, setMarking] = useState<IncidentStep>()
  return (
    <>
      <div className={shared.spread}>
        <h2 className={shared.heading}>Registro de incidentes</h2>
        <ActionButton isMain icon={IconPlus} label="Registrar incidente" to="/protecao-de-dados/incidente" />
      </div>
      <p className={classes.law}>
        Um incidente que possa causar <strong>risco ou dano relevante</strong> precisa ser comunicado à ANPD e
        às pessoas afetadas em até <strong>três dias úteis</strong> depois que a empresa soube dele (Resolução
        CD/ANPD nº 15/2024). O dia em que se soube não conta; sábados, domingos e feriados nacionais também
        não. Todo incidente fica registrado por ao menos cinco anos, mesmo o que não precisa ser comunicado.
      </p>
      {error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : data ? (
        <Register incidents={data} onMark={setMarking} />
      ) : (
        <Skeleton height={200} radius="lg" />
      )}
      <IncidentStepDialog marking={marking} onClose={() => setMarking(undefined)} />
    </>
  )
}

interface RegisterProps {
  incidents: Incident[]
  onMark: (marking: IncidentStep) => void
}

const Register = ({ incidents, onMark }: RegisterProps) => {
  const now = new Date(useNow())
  const [isWhole, setWhole] = useState(false)
  const { open, closed } = sortIncidents(incidents)
  const shown = isWhole ? closed : closed.slice(0, CLOSED_AT_FIRST)
  if (incidents.length === 0) {
    return (
      <InlineMessage icon={IconShieldCheck}>
        Nenhum incidente registrado. Quando houver um, registre-o logo: o prazo corre desde que se soube dele.
      </InlineMessage>
    )
  }
  return (
    <>
      <h3 className={`${shared.note} ${classes.group}`}>Abertos ({open.length})</h3>
      {open.length === 0 && <p className={classes.help}>Nenhum incidente aberto.</p>}
      <ul className={shared.stackSm} aria-label="Incidentes abertos">
        {open.map((incident) => (
          <IncidentCard key={incident.id} incident={incident} now={now} onMark={onMark} />
        ))}
      </ul>
      {closed.length > 0 && (
        <>
          <h3 className={`${shared.note} ${classes.group}`}>Encerrados ({closed.length})</h3>
          <ul className={shared.stackSm} aria-label="Incidentes encerrados">
            {shown.map((incident) => (
              <IncidentCard key={incident.id} incident={incident} now={now} onMark={onMark} />
            ))}
          </ul>
          {shown.length < closed.length && (
            <Button variant="default" onClick={() => setWhole(true)} w="fit-content">
              Mostrar todos os encerrados
            </Button>
          )}
        </>
      )}
    </>
  )
}

interface IncidentCardProps {
  incident: Incident
  now: Date
  onMark: (marking: IncidentStep) => void
}

const IncidentCard = ({ incident, now, onMark }: IncidentCardProps) => {
  const { id, titulo, conhecido_em, comunicado_anpd_em, comunicado_titulares_em, encerrado_em } = incident
  const status = statusOf(incident, now)
  const Icon = icons[status.tone]
  const pendingNotifications = pendingNotificationsOf(incident)
  const isOpen = encerrado_em === null
  return (
    <li className={`${shared.panel} ${shared.stackMd}`}>
      <div className={shared.spread}>
        <h4 className={`${shared.subheading} ${shared.breakable}`}>
          <Anchor component={Link} to={`/protecao-de-dados/incidente/${id}`} className={classes.person}>
            {titulo}
          </Anchor>
        </h4>
        <span className={`${shared.active} ${classes.status}`} data-tone={status.tone}>
          <Icon size={17} stroke={1.8} aria-hidden />
          {status.text}
        </span>
      </div>
      <Facts
        className={classes.facts}
        rows={[
          ['Soube-se em', fullTime(conhecido_em)],
          ['Risco', incidentSeverities[incident.gravidade]],
          ['Pessoas afetadas', incident.titulares_afetados?.toLocaleString('pt-BR') ?? '—'],
          ...(incident.exige_comunicacao
            ? ([
                ['Comunicar até', fullTime(incident.prazo)],
                ['ANPD comunicada', timeOrPending(comunicado_anpd_em)],
                ['Pessoas comunicadas', timeOrPending(comunicado_titulares_em)],
              ] as const)
            : []),
          ['Encerrado em', encerrado_em ? fullTime(encerrado_em) : undefined],
        ]}
      />
      {isOpen && (
        <div className={`${shared.buttons} ${classes.buttons}`}>
          {incident.exige_comunicacao && !comunicado_anpd_em && (
            <Button variant="default" onClick={() => onMark({ incident, field: 'comunicado_anpd_em' })}>
              ANPD comunicada
            </Button>
          )}
          {incident.exige_comunicacao && !comunicado_titulares_em && (
            <Button variant="default" onClick={() => onMark({ incident, field: 'comunicado_titulares_em' })}>
              Pessoas comunicadas
            </Button>
          )}
          {pendingNotifications.length === 0 && (
            <Button variant="default" onClick={() => onMark({ incident, field: 'encerrado_em' })}>
              Encerrar
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

const icons = { done: IconCircleCheck, calm: IconClock, soon: IconClock, late: IconAlertTriangle }

const timeOrPending = (instant: string | null): string => (instant ? fullTime(instant) : 'ainda não')
