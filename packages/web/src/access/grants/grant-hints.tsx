import type { AccessExplanation } from '@bi-manager/contract'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { reasonsQuery } from '../../lib/api/entity-queries.ts'
import shared from '../../ui/shared.module.css'
import { changesOf, type ReportRef, type Ticks } from '../report-set/ticks.ts'
import { GrantEnd } from './grant-end.tsx'
import classes from './grants.module.css'

/** If a save would remove more reports, reasons are fetched only when the button is pressed. */
const ASKED_AT_ONCE = 10

/** Returns the hints for each report of a user and for each report that a save would remove. */
export const grantHints = (idUsuario: number, ticks: Ticks) => {
  const removed = changesOf(ticks).removed
  const gone = new Set(removed.length > ASKED_AT_ONCE ? [] : removed.map(({ idRelatorio }) => idRelatorio))
  return {
    hint: (report: ReportRef): ReactNode => (
      <>
        {ticks.base.has(report.idRelatorio) && !ticks.marks.has(report.idRelatorio) && (
          <GrantEnd idUsuario={idUsuario} report={report} />
        )}
        <OtherAccessReasons idUsuario={idUsuario} report={report} isUnticked={gone.has(report.idRelatorio)} />
      </>
    ),
    removedHint: (report: ReportRef): ReactNode =>
      gone.has(report.idRelatorio) && <RemainingAccess idUsuario={idUsuario} report={report} />,
  }
}

interface ReasonsProps {
  idUsuario: number
  report: ReportRef
}

/**
 * Shows the reasons other than a direct grant why the user can view a report. Fetched on press, or
 * at once when the report was unticked, because the user would still be able to view it.
 */
const OtherAccessReasons = ({ isUnticked, ...of }: ReasonsProps & { isUnticked: boolean }) => {
  const [isAsked, setAsked] = useState(false)
  const { data, error } = useQuery({
    ...reasonsQuery(of.idUsuario, of.report.idRelatorio),
    enabled: isAsked || isUnticked,
  })
  const others = othersOf(data)
  return (
    <>
      <Tooltip label="Vê por outro caminho?" openDelay={300} portalProps={{ target: '#conteudo' }}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Vê ${of.report.nomeRelatorio} por outro caminho?`}
          aria-expanded={isAsked}
          onClick={() => setAsked(!isAsked)}
        >
          <IconInfoCircle size={19} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <span
        role="status"
        className={`${shared.smallNote} ${classes.reasons}`}
        data-empty={(!isAsked && !(isUnticked && others.length > 0)) || undefined}
      >
        {isAsked ? textOf(data, error) : isUnticked && others.length > 0 && stillSees(others)}
      </span>
    </>
  )
}

/** In the confirmation of a save: says that the user can still view a removed report. */
const RemainingAccess = ({ idUsuario, report }: ReasonsProps) => {
  const { data } = useQuery(reasonsQuery(idUsuario, report.idRelatorio))
  const others = othersOf(data)
  return others.length > 0 && <span className={classes.stillSees}>{stillSees(others)}</span>
}

const textOf = (data: AccessExplanation | undefined, error: unknown): string => {
  if (!data) return error ? messageOf(error) : 'Verificando…'
  const others = othersOf(data)
  return others.length === 0
    ? 'Só por permissão direta: nenhum perfil desta pessoa inclui este relatório.'
    : others.join(' ')
}

const stillSees = (others: string[]) => `Continua vendo. ${others.join(' ')}`

const othersOf = (data: AccessExplanation | undefined): string[] =>
  data?.motivos.filter(({ tipo }) => tipo !== 'permissao').map(({ descricao }) => descricao) ?? []
