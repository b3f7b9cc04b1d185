import { ACCESS_REQUEST_LENGTH, accessRequestsApi, type OwnAccessRequest } from '@bi-manager/contract'
import { Textarea } from '@mantine/core'
import { IconLockQuestion } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { ownRequestsKey } from '../../lib/api/query-keys.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import type { ReportIds } from '../../lib/navigation/report-path.ts'
import { dayText } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { focusOnMount } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'

const ownRequestsQuery = queryOptions({
  queryKey: ownRequestsKey,
  queryFn: ({ signal }) => call(accessRequestsApi.listOwn, {}, { signal }),
})

/** 'Pedir acesso' to a report that is not granted; after that, since when the request waits. */
export const AskAccess = ({ report }: { report: ReportIds }) => {
  const client = useQueryClient()
  const { data: requests } = useQuery(ownRequestsQuery)
  const [isOpen, setOpen] = useState(false)
  const [isSent, setSent] = useState(false)
  const waiting = requests?.find((request) => request.situacao === 'ABERTO' && isFor(request, report))
  const close = () => setOpen(false)
  return (
    <>
      {waiting ? (
        <ActionButton
          icon={IconLockQuestion}
          label={`Acesso pedido em ${dayText(waiting.criadoEm)}`}
          to="/meus-pedidos-acesso"
        />
      ) : (
        <ActionButton
          icon={IconLockQuestion}
          label="Pedir acesso"
          variant="filled"
          onClick={() => {
            setSent(false)
            setOpen(true)
          }}
        />
      )}
      <Dialog
        opened={isOpen}
        onClose={close}
        isDone={isSent}
        title={isSent ? 'Pedido enviado!' : 'Pedir acesso'}
      >
        {isSent ? (
          <div className={shared.stackLg}>
            <p role="status">
              Os administradores foram avisados. A resposta chega pelo sino e por e-mail; o relatório abre
              aqui assim que for liberado.
            </p>
            <div className={dialog.buttons}>
              <Button onClick={close} ref={focusOnMount}>
                Fechar
              </Button>
            </div>
          </div>
        ) : (
          <RequestForm
            report={report}
            onCancel={close}
            onSent={() => {
              setSent(true)
              void client.invalidateQueries({ queryKey: ownRequestsKey })
            }}
          />
        )}
      </Dialog>
    </>
  )
}

const isFor = (request: OwnAccessRequest, { groupId, reportId, idRelatorio }: ReportIds): boolean =>
  request.groupId === groupId.toLowerCase() &&
  request.reportId === reportId.toLowerCase() &&
  request.idRelatorio === (idRelatorio ?? null)

interface RequestFormProps {
  report: ReportIds
  onCancel: () => void
  onSent: () => void
}

const RequestForm = ({ report, onCancel, onSent }: RequestFormProps) => {
  const [motivo, setReason] = useState('')
  const sending = useSubmission(
    () => call(accessRequestsApi.create, { body: { ...report, motivo } }),
    () => onSent(),
  )
  return (
    <Form onSubmit={sending.submit} className={shared.stackLg}>
      <Textarea
        label="Motivo"
        description="Diga para que você precisa do relatório: é o que o administrador lê antes de decidir."
        autosize
        minRows={3}
        maxRows={8}
        maxLength={ACCESS_REQUEST_LENGTH.reason}
        value={motivo}
        error={sending.faults.motivo}
        data-autofocus
        onChange={({ currentTarget }) => {
          sending.forget()
          setReason(currentTarget.value)
        }}
      />
      <ErrorAlert error={sending.problem} />
      <div className={dialog.answers}>
        <Button variant="default" onClick={onCancel} disabled={sending.isPending}>
          Cancelar
        </Button>
        <Button type="submit" loading={sending.isPending}>
          Enviar pedido
        </Button>
      </div>
    </Form>
  )
}
