import { type PublishedReport, publishedReportsApi, type ReportVersion } from '@bi-manager/contract'
import { Alert, Checkbox } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { Button } from '../../ui/button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import classes from '../editor/editor.module.css'
import { dataTexts, versionFacts } from './version-texts.ts'
import '@mantine/core/styles/Checkbox.layer.css'

interface RestoreDialogProps {
  report: PublishedReport
  /** The version to restore; undefined closes the dialog. */
  version: ReportVersion | undefined
  onClose: () => void
  onRestored: (version: ReportVersion) => void
}

/** Asks for confirmation, and restores a version, with or without its data. */
export const RestoreDialog = ({ report, version, onClose, onRestored }: RestoreDialogProps) => {
  const client = useQueryClient()
  const [withData, setWithData] = useState(true)
  const { mutate, isPending, error, data, reset } = useExclusiveMutation({
    mutationFn: ({ numero, dados }: ReportVersion) =>
      call(publishedReportsApi.restore, {
        params: { reportId: report.reportId, numero },
        body: { comDados: withData && dados === 'GUARDADOS' },
      }),
    onSuccess: ({ erros }, restored) => {
      if (erros.length > 0) return
      onRestored(restored)
      onClose()
    },
    // A service that does not answer may have restored it.
    onSettled: () => client.invalidateQueries({ queryKey: ['publicacoes'] }),
  })
  const { shown, opening } = useDialogTarget(version, () => {
    reset()
    setWithData(true)
  })
  const faults = data?.erros ?? []
  return (
    <Dialog
      key={opening}
      opened={version !== undefined}
      onClose={() => !isPending && onClose()}
      title={shown && `Restaurar a versão ${shown.numero} de “${report.nome}”?`}
    >
      {shown && (
        <>
          <p className={dialog.lead}>
            Ela é de {versionFacts(shown)}, e é publicada de novo como uma versão nova: todos os leitores
            passam a vê-la. A versão de hoje continua na lista.
          </p>
          {shown.dados === 'GUARDADOS' ? (
            <Checkbox
              label="Restaurar também os dados desta versão"
              description="Sem isto, a definição volta e os dados continuam os de hoje."
              checked={withData}
              onChange={(event) => setWithData(event.currentTarget.checked)}
            />
          ) : (
            <p>{dataTexts[shown.dados]}</p>
          )}
          {faults.length > 0 && (
            <Alert
              color="red"
              mt="md"
              icon={<IconAlertTriangle aria-hidden />}
              title="Nada foi restaurado"
              role="alert"
            >
              <ul className={classes.findings}>
                {faults.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            </Alert>
          )}
          <ErrorAlert error={error} mt="md" />
          <div className={dialog.answers}>
            <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
              Não, cancelar
            </Button>
            <Button loading={isPending} onClick={() => mutate(shown)}>
              Sim, restaurar
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
