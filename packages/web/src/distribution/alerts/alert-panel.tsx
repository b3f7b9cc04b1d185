import type { Alert } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChosenVisual, ViewedReport } from '../../reports/index.ts'
import { ReauthenticationDialog } from '../../ui/reauthentication-dialog/reauthentication-dialog.tsx'
import { DeliveryPanel } from '../deliveries/delivery-panel.tsx'
import { AlertForm } from './alert-form.tsx'
import { alertKind } from './alert-kind.ts'
import { reportAlertsQuery } from './alert-queries.ts'
import { AlertRow } from './alert-row.tsx'
import { NewSecret } from './new-secret.tsx'

interface AlertPanelProps {
  report: Pick<ViewedReport, 'capture'>
  idRelatorio: number
  visual: ChosenVisual | undefined
  close: () => void
}

/** One's own alerts on the report on the screen, or the form of one. */
const AlertPanel = ({ report, idRelatorio, visual, close }: AlertPanelProps) => {
  const [segredo, setSegredo] = useState<string | null>(null)
  return (
    <DeliveryPanel
      kind={alertKind}
      existing={useQuery(reportAlertsQuery(idRelatorio))}
      idRelatorio={idRelatorio}
      read={() => report.capture()}
      startsNew={visual !== undefined}
      Row={AlertRow}
      form={({ one, screen, onSaved, onCancel }) => (
        <>
          <AlertForm
            key={one?.idAlerta ?? 'novo'}
            idRelatorio={idRelatorio}
            alert={one}
            screen={{
              pagina: visual?.pagina ?? screen?.pagina ?? null,
              filtros: screen?.filtros ?? {},
              visual: visual?.visual,
            }}
            onSaved={(saved) => {
              setSegredo(saved.segredo)
              onSaved(savedText(saved.alerta, one === undefined))
            }}
            onCancel={onCancel}
          />
          <ReauthenticationDialog />
        </>
      )}
      cover={segredo && <NewSecret segredo={segredo} onClose={() => setSegredo(null)} />}
      close={close}
    />
  )
}

export default AlertPanel

const savedText = ({ estado }: Alert, isNew: boolean): string => {
  const done = `Alerta ${isNew ? 'criado' : 'salvo'}.`
  return estado === 'ATINGIDA'
    ? `${done} A condição já vale agora: o aviso vem na próxima vez que ela passar a valer.`
    : `${done} Você será avisado quando a condição passar a valer.`
}
