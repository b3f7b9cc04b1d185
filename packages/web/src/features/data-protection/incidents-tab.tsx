import type { Incident } from '@bi-manager/contract'
import { Button, Skeleton } from '@mantine/core'
import '@mantine/core/styles/Skeleton.layer.css'
import { IconPlus, IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import { useNow } from '../../ui/use-now.ts'
import classes from './data-protection.module.css'
import { incidentsQuery } from './data-protection-queries.ts'
import { IncidentCard } from './incident-card.tsx'
import { sortIncidents } from './incident-status.ts'
import { type IncidentStep, IncidentStepDialog } from './incident-step-dialog.tsx'

const CLOSED_AT_FIRST = 5

/** The register of incidents, open ones first, each with the time left until its deadline. */
export const IncidentsTab = () => {
  const { data, error, isFetching, refetch } = useQuery(incidentsQuery)
  const [marking, setMarking] = useState<IncidentStep>()
  return (
    <>
      <div className={shared.spread}>
        <h2 className={classes.heading}>Registro de incidentes</h2>
        <Button
          component={Link}
          to="/protecao-de-dados/incidente"
          leftSection={<IconPlus size={18} aria-hidden />}
        >
          Registrar incidente
        </Button>
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
      <h3 className={classes.group}>Abertos ({open.length})</h3>
      {open.length === 0 && <p className={classes.help}>Nenhum incidente aberto.</p>}
      <ul className={classes.incidents} aria-label="Incidentes abertos">
        {open.map((incident) => (
          <IncidentCard key={incident.id} incident={incident} now={now} onMark={onMark} />
        ))}
      </ul>
      {closed.length > 0 && (
        <>
          <h3 className={classes.group}>Encerrados ({closed.length})</h3>
          <ul className={classes.incidents} aria-label="Incidentes encerrados">
            {shown.map((incident) => (
              <IncidentCard key={incident.id} incident={incident} now={now} onMark={onMark} />
            ))}
          </ul>
          {shown.length < closed.length && (
            <Button variant="default" onClick={() => setWhole(true)} className={classes.more}>
              Mostrar todos os encerrados
            </Button>
          )}
        </>
      )}
    </>
  )
}
