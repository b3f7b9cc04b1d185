import { type Incident, incidentSeverities } from '@bi-manager/contract'
import { Anchor, Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fullTime } from '../../lib/text/relative-time.ts'
import shared from '../../ui/shared.module.css'
import classes from './data-protection.module.css'
import { pendingNotificationsOf, statusOf } from './incident-status.ts'
import type { IncidentStep } from './incident-step-dialog.tsx'

interface IncidentCardProps {
  incident: Incident
  now: Date
  onMark: (marking: IncidentStep) => void
}

export const IncidentCard = ({ incident, now, onMark }: IncidentCardProps) => {
  const { id, titulo, conhecido_em, comunicado_anpd_em, comunicado_titulares_em, encerrado_em } = incident
  const status = statusOf(incident, now)
  const Icon = icons[status.tone]
  const untold = pendingNotificationsOf(incident)
  const isOpen = encerrado_em === null
  return (
    <li className={classes.incident}>
      <div className={shared.spread}>
        <h4 className={classes.incidentTitle}>
          <Anchor component={Link} to={`/protecao-de-dados/incidente/${id}`} className={classes.person}>
            {titulo}
          </Anchor>
        </h4>
        <span className={classes.status} data-tone={status.tone}>
          <Icon size={17} stroke={1.8} aria-hidden />
          {status.text}
        </span>
      </div>
      <dl className={classes.facts}>
        <Fact label="Soube-se em">{fullTime(conhecido_em)}</Fact>
        <Fact label="Risco">{incidentSeverities[incident.gravidade]}</Fact>
        <Fact label="Pessoas afetadas">{incident.titulares_afetados?.toLocaleString('pt-BR') ?? '—'}</Fact>
        {incident.exige_comunicacao && (
          <>
            <Fact label="Comunicar até">{fullTime(incident.prazo)}</Fact>
            <Fact label="ANPD comunicada">{told(comunicado_anpd_em)}</Fact>
            <Fact label="Pessoas comunicadas">{told(comunicado_titulares_em)}</Fact>
          </>
        )}
        {encerrado_em && <Fact label="Encerrado em">{fullTime(encerrado_em)}</Fact>}
      </dl>
      {isOpen && (
        <div className={classes.buttons}>
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
          {untold.length === 0 && (
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

const told = (instant: string | null): string => (instant ? fullTime(instant) : 'ainda não')

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
