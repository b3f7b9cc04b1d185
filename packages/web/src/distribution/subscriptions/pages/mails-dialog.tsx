import { type SubscriptionMail, type SubscriptionRun, subscriptionsApi } from '@bi-manager/contract'
import { Modal } from '@mantine/core'
import { usePanelListState } from '../../../lib/lists/panel-list-state.ts'
import { useListOf } from '../../../lib/lists/use-list.ts'
import { fullTime } from '../../../lib/text/relative-time.ts'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { useDialogTarget } from '../../../ui/dialog/use-dialog-target.ts'
import { subscriptionsKey } from '../subscription-queries.ts'
import { mailStateTexts } from '../subscription-texts.ts'

interface MailsDialogProps {
  idAssinatura: number
  /** The run whose e-mails are shown; undefined closes the dialog. */
  target: SubscriptionRun | undefined
  onClose: () => void
}

/** The e-mail of each recipient in a run. */
export const MailsDialog = ({ idAssinatura, target, onClose }: MailsDialogProps) => {
  const { shown, opening } = useDialogTarget(target)
  return (
    <Modal
      opened={target !== undefined}
      onClose={onClose}
      title={shown ? `Envio de ${fullTime(shown.previstaEm)}` : ''}
      size="44rem"
      centered
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown && <Mails key={opening} idAssinatura={idAssinatura} idExecucao={shown.idExecucao} />}
    </Modal>
  )
}

const columns: Column<SubscriptionMail, never>[] = [
  { label: 'Pessoa', isName: true, render: ({ nomeUsuario }) => nomeUsuario },
  {
    label: 'E-mail',
    render: ({ estado }) => mailStateTexts[estado],
    detail: ({ motivo }) => motivo,
  },
  { label: 'Quando', width: '9rem', render: ({ em }) => fullTime(em) },
]

const Mails = ({ idAssinatura, idExecucao }: { idAssinatura: number; idExecucao: number }) => {
  const list = useListOf(usePanelListState(), {
    queryKey: [...subscriptionsKey, 'entregas', idAssinatura, idExecucao],
    endpoint: subscriptionsApi.mails,
    params: { id: idAssinatura, idExecucao },
  })
  return (
    <DataTable
      isInPanel
      list={list}
      label="Destinatários"
      columns={columns}
      rowKey={({ idUsuario }) => idUsuario}
      empty={{ text: 'Este envio não teve destinatários.' }}
    />
  )
}
