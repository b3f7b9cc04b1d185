import { AskAccess } from '../../access/index.ts'
import { PointBeneficiariesButton } from '../../clinical/index.ts'
import { useAlertDialog, useSubscribeDialog, useSubscribedView } from '../../distribution/index.ts'
import type { UseReportTools } from '../../reports/index.ts'

/** For a report with the person's own identity. */
export const useReportTools: UseReportTools = ({ report, reportKey, viewed, isLoaded, search }) => {
  useSubscribedView(search, viewed)
  const alerts = useAlertDialog(reportKey, viewed, isLoaded)
  const subscriptions = useSubscribeDialog(reportKey, viewed, isLoaded)
  const { idRelatorio, hasPoint, paginated } = viewed.status
  return {
    actions: [...(paginated ? [] : [alerts.action]), subscriptions.action],
    dialogs: (
      <>
        {alerts.dialog}
        {subscriptions.dialog}
      </>
    ),
    buttons: (
      <PointBeneficiariesButton
        key={`point of ${reportKey}`}
        idRelatorio={idRelatorio}
        hasPoint={isLoaded && hasPoint === true}
        selectedPoint={viewed.selectedPoint}
      />
    ),
    request: <AskAccess report={report} />,
  }
}

/** For a report with another person's identity, which must not leave the page. */
export const useNoTools: UseReportTools = () => ({ actions: [] })
