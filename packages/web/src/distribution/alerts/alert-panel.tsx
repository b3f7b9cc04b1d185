import type { Alert as ReportAlert } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ChosenVisual,
  OwnEntities,
  ScreenFailure,
  useScreen,
  type ViewedReport,
} from '../../reports/index.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { ReauthenticationDialog } from '../../ui/reauthentication-dialog/reauthentication-dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { AlertForm, type SavedAlert } from './alert-form.tsx'
import { reportAlertsQuery } from './alert-queries.ts'
import { AlertRow } from './alert-row.tsx'
import { DeleteAlert } from './delete-alert.tsx'
import { NewSecret } from './new-secret.tsx'

interface AlertPanelProps {
  report: Pick<ViewedReport, 'capture'>
  idRelatorio: number
  visual: ChosenVisual | undefined
  close: () => void
}

/** One's own alerts on the report on the screen, or the form of one. */
const AlertPanel = ({ report, idRelatorio, visual, close }: AlertPanelProps) => {
  const existing = useQuery(reportAlertsQuery(idRelatorio))
  const screen = useScreen(idRelatorio, () => report.capture())
  /** 'novo', or the alert that is edited. */
  const [form, setForm] = useState<'novo' | ReportAlert | undefined>(visual ? 'novo' : undefined)
  const [toDelete, setToDelete] = useState<ReportAlert>()
  const [saved, setSaved] = useState<SavedAlert>()
  const edit = (next: 'novo' | ReportAlert) => {
    setSaved(undefined)
    setForm(next)
  }

  if (existing.error && !existing.data)
    return (
      <ListFailure
        error={existing.error}
        isFetching={existing.isFetching}
        onRetry={() => void existing.refetch()}
      />
    )
  if (screen.error && !screen.data) return <ScreenFailure screen={screen} />
  if (!existing.data || !screen.data) return <SkeletonLines label="Carregando os alertas" />

  if (saved?.segredo)
    return <NewSecret segredo={saved.segredo} onClose={() => setSaved({ ...saved, segredo: null })} />
  // The list stays below the dialog that confirms the deletion of the last one.
  const isFirst = existing.data.length === 0 && !saved && !toDelete
  if (form || isFirst)
    return (
      <>
        <AlertForm
          key={typeof form === 'object' ? form.idAlerta : 'novo'}
          idRelatorio={idRelatorio}
          alert={typeof form === 'object' ? form : undefined}
          screen={{
            pagina: visual?.pagina ?? screen.data.pagina ?? null,
            filtros: screen.data.filtros,
            visual: visual?.visual,
          }}
          onSaved={(done) => {
            setSaved(done)
            setForm(undefined)
          }}
          onCancel={() => (isFirst || visual ? close() : setForm(undefined))}
        />
        <ReauthenticationDialog />
      </>
    )
  return (
    <>
      <OwnEntities
        label="Seus alertas deste relatório"
        saved={saved && savedText(saved)}
        all={{ label: 'Todos os seus alertas', to: '/alertas' }}
        add={{ label: 'Novo alerta', onClick: () => edit('novo') }}
      >
        {existing.data.map((alert) => (
          <li key={alert.idAlerta}>
            <AlertRow alert={alert} onEdit={() => edit(alert)} onDelete={() => setToDelete(alert)} />
          </li>
        ))}
      </OwnEntities>
      <DeleteAlert target={toDelete} onClose={() => setToDelete(undefined)} />
    </>
  )
}

export default AlertPanel

const savedText = ({ alert: { estado }, isNew }: SavedAlert): string => {
  const done = `Alerta ${isNew ? 'criado' : 'salvo'}.`
  return estado === 'ATINGIDA'
    ? `${done} A condição já vale agora: o aviso vem na próxima vez que ela passar a valer.`
    : `${done} Você será avisado quando a condição passar a valer.`
}
