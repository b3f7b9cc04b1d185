import { type Alert, reportPath } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

/** A link to the report with the page and the filters of the alert. */
export const ReportLink = ({ report }: { report: Alert['relatorio'] }) =>
  report ? (
    <Anchor component={Link} to={pathOf(report)} size="xs">
      {report.nomeRelatorio}
    </Anchor>
  ) : (
    'Um relatório que você não pode mais ver'
  )

/** The ids determine the address, so the workspace's name may be left out. */
const pathOf = ({
  nomeRelatorio,
  idGrupo: groupId,
  reportId,
  idRelatorio,
  endereco,
}: NonNullable<Alert['relatorio']>) => {
  const path = reportPath({ workspace: 'alerta', relatorio: nomeRelatorio, groupId, reportId, idRelatorio })
  return `${path.split('?')[0]}?${endereco}`
}
