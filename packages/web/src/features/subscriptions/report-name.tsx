import type { SubscribedReport } from '@bi-manager/contract'
import { reportPath } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

/** A link to the report. The ids determine the address, so the workspace's name may be left out. */
export const ReportName = ({ report }: { report: SubscribedReport | null }) =>
  report ? (
    <Anchor component={Link} to={pathOf(report)} size="xs">
      {report.nomeRelatorio}
    </Anchor>
  ) : (
    'Um relatório que você não pode mais ver'
  )

const pathOf = ({ nomeRelatorio, idGrupo: groupId, reportId, idRelatorio }: SubscribedReport): string =>
  reportPath({ workspace: 'assinatura', relatorio: nomeRelatorio, groupId, reportId, idRelatorio })
