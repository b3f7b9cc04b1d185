import type { Alert as AlertRecord } from '@bi-manager/contract'
import { Alert, Anchor } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { ActionButton } from '../../../ui/action-button.tsx'
import { AlertForm, type SavedAlert } from '../../../ui/alert/alert-form.tsx'
import { reportAlertsQuery } from '../../../ui/alert/alert-queries.ts'
import { AlertRow } from '../../../ui/alert/alert-row.tsx'
import { DeleteAlert } from '../../../ui/alert/delete-alert.tsx'
import { NewSecret } from '../../../ui/alert/new-secret.tsx'
import { ListFailure } from '../../../ui/data-table/list-failure.tsx'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import shared from '../../../ui/shared.module.css'
import { SkeletonLines } from '../../../ui/skeleton-lines.tsx'
import type { ChosenVisual } from '../frame/visual-commands.ts'
import type { ViewedReport } from '../opening/use-report.ts'
import { callFailureSentence } from '../problems/embed-problem.ts'

interface AlertPanelProps {
  report: Pick<ViewedReport, 'capture'>
  idRelatorio: number
  visual: ChosenVisual | undefined
  close: () => void
}

/** One's own alerts on the report on the screen, or the form of one. */
const AlertPanel = ({ report, idRelatorio, visual, close }: AlertPanelProps) => {
  const existing = useQuery(reportAlertsQuery(idRelatorio))
  // The dialog covers the report: what is on the screen does not change while it is open.
  const screen = useQuery({
    queryKey: ['tela', idRelatorio, useId()],
    queryFn: () => report.capture(),
    networkMode: 'always',
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  /** 'novo', or the alert that is edited. */
  const [form, setForm] = useState<'novo' | AlertRecord | undefined>(visual ? 'novo' : undefined)
  const [doomed, setDoomed] = useState<AlertRecord>()
  const [saved, setSaved] = useState<SavedAlert>()

  const failed = [existing, screen].find((query) => query.error && !query.data)
  if (failed === screen && screen.error)
    return (
      <>
        <ErrorAlert error={callFailureSentence(screen.error)} mb="md" />
        <ActionButton
          label="Tentar novamente"
          loading={screen.isFetching}
          onClick={() => void screen.refetch()}
        />
      </>
    )
  if (existing.error && !existing.data)
    return (
      <ListFailure
        error={existing.error}
        isFetching={existing.isFetching}
        onRetry={() => void existing.refetch()}
      />
    )
  if (!existing.data || !screen.data) return <SkeletonLines label="Carregando os alertas" />

  if (saved?.segredo)
    return <NewSecret segredo={saved.segredo} onClose={() => setSaved({ ...saved, segredo: null })} />
  // The list stays below the dialog that tells of the deletion of the last one.
  const isFirst = existing.data.length === 0 && !saved && !doomed
  if (form || isFirst)
    return (
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
    )
  return (
    <div className={shared.stackMd}>
      <div role="status">{saved && <Alert color="teal">{savedText(saved)}</Alert>}</div>
      <ul className={shared.divided} aria-label="Seus alertas deste relatório">
        {existing.data.map((alert) => (
          <li key={alert.idAlerta}>
            <AlertRow
              alert={alert}
              onEdit={() => {
                setSaved(undefined)
                setForm(alert)
              }}
              onDelete={() => setDoomed(alert)}
            />
          </li>
        ))}
      </ul>
      <div className={shared.spread}>
        <Anchor component={Link} to="/alertas" size="sm">
          Todos os seus alertas
        </Anchor>
        <ActionButton
          isMain
          icon={IconPlus}
          label="Novo alerta"
          onClick={() => {
            setSaved(undefined)
            setForm('novo')
          }}
        />
      </div>
      <DeleteAlert target={doomed} onClose={() => setDoomed(undefined)} />
    </div>
  )
}

export default AlertPanel

const savedText = ({ alert: { estado }, isNew }: SavedAlert): string => {
  const done = `Alerta ${isNew ? 'criado' : 'salvo'}.`
  return estado === 'ATINGIDA'
    ? `${done} A condição já vale agora: o aviso vem na próxima vez que ela passar a valer.`
    : `${done} Você será avisado quando a condição passar a valer.`
}
