import { type Alert, recurrenceText } from '@bi-manager/contract'
import { fullTime } from '../../lib/text/relative-time.ts'
import shared from '../../ui/shared.module.css'
import { DeliveryRow, type RowProps } from '../deliveries/delivery-row.tsx'
import { ReportLink } from '../deliveries/report-link.tsx'
import { AlertBadge } from './alert-badge.tsx'
import { alertKind } from './alert-kind.ts'
import { conditionText, targetText, valueText } from './alert-texts.ts'

/** An alert with its last value, and with what can be done with it. */
export const AlertRow = ({ one, showsReport, ...props }: RowProps<Alert>) => {
  const { falha, valor, valorEm, formato, mostraValores } = one
  return (
    <DeliveryRow
      {...props}
      kind={alertKind}
      one={one}
      badge={<AlertBadge alert={one} />}
      report={showsReport && <ReportLink report={one.relatorio} />}
      facts={
        <>
          <p className={shared.smallNote}>
            {targetText(one)}: {conditionText(one)}
          </p>
          <p className={shared.smallNote}>
            {recurrenceText(one)}
            {one.porEmail && ' · por e-mail'}
            {one.hostWebhook && ` · webhook em ${one.hostWebhook}`}
          </p>
        </>
      }
      failure={falha}
      times={
        mostraValores &&
        valorEm && (
          <>
            Último valor: <strong>{valueText(valor, formato)}</strong> em {fullTime(valorEm)}
          </>
        )
      }
    />
  )
}
