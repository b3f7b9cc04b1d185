import { useQuery } from '@tanstack/react-query'
import type { ReportIds } from '../../../lib/navigation/report-path.ts'
import { useSession } from '../../../lib/session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { menusQuery } from '../../menu/menu.ts'
import type { ViewerProblem } from './viewer-problem.ts'

interface FormToFixProps {
  problem: ViewerProblem
  report: ReportIds
  /** The person with whose identity an ADMIN sees the report. */
  viewAs: number | undefined
}

/** For an ADMIN: the link to the form of the report or person whose field is missing. */
export const FormToFix = ({ problem: { form }, report, viewAs }: FormToFixProps) => {
  const session = useSession()
  const isAdmin = session?.tipo === 'ADMIN'
  const { data: menu = [] } = useQuery({ ...menusQuery, enabled: isAdmin && form === 'report' })
  if (!isAdmin || !form) return null
  if (form === 'person')
    return (
      <ActionButton
        label={viewAs === undefined ? 'Abrir o meu cadastro' : 'Abrir o cadastro da pessoa'}
        to={`/cadastrar-usuario/${viewAs ?? session.usuario_id}`}
      />
    )
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const inMenu = menu
    .filter(({ groupId }) => isSame(groupId, report.groupId))
    .flatMap(({ relatorios }) => relatorios)
    .find(({ reportId }) => isSame(reportId, report.reportId))
  const id = report.idRelatorio ?? inMenu?.idRelatorio
  // A large menu comes without reports.
  return id === undefined ? (
    <ActionButton label="Abrir os relatórios" to="/relatorio" />
  ) : (
    <ActionButton label="Abrir o cadastro do relatório" to={`/RegisterworkspaceRelatorios/${id}`} />
  )
}
