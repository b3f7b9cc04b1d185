import type { ProfileMember } from '@bi-manager/contract'
import { Alert, Button, Modal } from '@mantine/core'
import dialog from '../../ui/dialog.module.css'
import { ChangeLists } from '../../ui/report-set/change-lists.tsx'
import { faultOf } from '../../ui/report-set/fault.ts'
import { useDialogTarget } from '../../ui/use-dialog-target.ts'
import type { MemberMarks } from './members.ts'
import { counted } from './profile-counts.ts'

interface MembersDialogProps {
  opened: boolean
  nomePerfil: string
  marks: MemberMarks
  isSaving: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

const headings = {
  added: (count: number) => counted(count, 'pessoa entra', 'pessoas entram'),
  removed: (count: number) => counted(count, 'pessoa sai', 'pessoas saem'),
}

/** Confirms who joins and leaves. There is no version conflict: both changes are idempotent. */
export const MembersDialog = ({ opened, nomePerfil, marks, isSaving, error, ...on }: MembersDialogProps) => {
  const { shown = marks } = useDialogTarget(opened ? marks : undefined)
  return (
    <Modal
      opened={opened}
      onClose={() => !isSaving && on.onClose()}
      title={`Salvar os membros do perfil ${nomePerfil}?`}
      size="36rem"
      centered
      withCloseButton={false}
    >
      <ChangeLists headings={headings} added={itemsOf(shown.joining)} removed={itemsOf(shown.leaving)} />
      {!!error && (
        <Alert color="red" role="alert" mt="md">
          Nada foi salvo, e suas marcas continuam aqui. {faultOf(error)}
        </Alert>
      )}
      <div className={dialog.answers}>
        <Button variant="default" disabled={isSaving} onClick={on.onClose}>
          Voltar
        </Button>
        <Button loading={isSaving} onClick={on.onConfirm} data-autofocus>
          {error ? 'Tentar novamente' : 'Confirmar'}
        </Button>
      </div>
    </Modal>
  )
}

const itemsOf = (members: ReadonlyMap<number, ProfileMember>) =>
  [...members.values()].map(({ idUsuario, nomeUsuario, emailUsuario }) => ({
    key: idUsuario,
    name: nomeUsuario,
    detail: emailUsuario,
  }))
