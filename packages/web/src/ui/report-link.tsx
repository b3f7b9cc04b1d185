import { reportPath, type SubscribedReport } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

interface ReportLinkProps {
  /** Null: the viewer may not see it any more. */
  report: (Omit<SubscribedReport, 'tipoRelatorio'> & { endereco?: string }) | null
}

/** A link to a report, with the page and the filters of its `endereco`. */
export const ReportLink = ({ report }: ReportLinkProps) =>
  report ? (
    <Anchor component={Link} to={pathOf(report)} size="xs">
      {report.nomeRelatorio}
    </Anchor>
  ) : (
    'Um relatório que você não pode mais ver'
  )

const pathOf = ({ endereco, ...report }: NonNullable<ReportLinkProps['report']>): string => {
  const { nomeRelatorio: relatorio, idGrupo: groupId, reportId, idRelatorio } = report
  // The ids determine the address: the workspace's name is not known here.
  const path = reportPath({ workspace: 'relatorio', relatorio, groupId, reportId, idRelatorio })
  return endereco === undefined ? path : `${path.split('?')[0]}?${endereco}`
}
