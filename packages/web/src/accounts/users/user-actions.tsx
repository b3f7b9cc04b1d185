import { oidcApi, secondFactorApi, type User, userEntity, usersApi } from '@bi-manager/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { call } from '../../lib/api/api.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { useSendsMail } from '../../lib/api/use-sends-mail.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { invitationTitle } from './no-mail.tsx'

const NO_EMAIL = 'Avise a pessoa: este portal não envia e-mails.'

/** Texts of a dialog; without a mail server, those that promise an e-mail are others. */
const actions = {
  delete: {
    question: 'Deseja mesmo excluir esse usuário?',
    done: 'Usuário excluído!',
    consequence: 'As permissões dessa pessoa saem junto e as sessões abertas terminam na hora.',
    send: (id: number) => call(usersApi.remove, { params: { id } }),
  },
  refuse: {
    question: 'Deseja mesmo recusar esse pedido de conta?',
    done: 'Pedido recusado!',
    outcome: 'O pedido foi excluído, e a pessoa recebe um e-mail que diz isso. Ela pode pedir outra conta.',
    confirm: 'Sim, recusar',
    failed: 'Não foi possível recusar',
    consequence: 'O pedido é excluído e a pessoa é avisada por e-mail.',
    withoutMail: {
      outcome: `O pedido foi excluído. ${NO_EMAIL} Ela pode pedir outra conta.`,
      consequence: `O pedido é excluído. ${NO_EMAIL}`,
    },
    send: (id: number) => call(usersApi.refuse, { params: { id } }),
  },
  /** Helps a user who lost the device and the recovery codes. */
  resetFactor: {
    question: 'Redefinir o segundo fator desta pessoa?',
    done: 'Segundo fator redefinido!',
    outcome:
      'As sessões da pessoa terminaram, e avisamos por e-mail. Até ela configurar outro aparelho, a senha basta para entrar.',
    withoutMail: {
      outcome: `As sessões da pessoa terminaram. Até ela configurar outro aparelho, a senha basta para entrar. ${NO_EMAIL}`,
    },
    confirm: 'Sim, redefinir',
    failed: 'Não foi possível redefinir',
    consequence:
      'Confirme por outro meio que o pedido é dela: até configurar outro aparelho, a senha basta para entrar. As sessões abertas terminam na hora.',
    send: (id: number) => call(secondFactorApi.reset, { params: { id } }),
  },
  /**
   * Hands an active or blocked account whose e-mail is not confirmed to the owner of its mailbox:
   * existing credentials are revoked, and an e-mailed link sets a new password.
   */
  inviteMailboxOwner: {
    question: 'Enviar convite para confirmar o e-mail?',
    done: 'Convite enviado!',
    outcome:
      'A pessoa define outra senha pelo link do e-mail, que vale 7 dias. Com isso o e-mail fica confirmado.',
    withoutMail: {
      done: invitationTitle(false),
      confirm: 'Criar convite',
      outcome:
        'Nada foi enviado: o convite está na pasta outbox do servidor. A pessoa define outra senha pelo link dele, que vale 7 dias, e com isso o e-mail fica confirmado.',
      consequence:
        'Este portal não envia e-mails: o convite fica na pasta outbox do servidor, e quem cuida dele o entrega. A senha e o segundo fator desta conta deixam de valer e as sessões abertas terminam na hora. As permissões ficam.',
    },
    confirm: 'Enviar convite',
    failed: 'Não foi possível convidar',
    consequence:
      'A senha e o segundo fator desta conta deixam de valer e as sessões abertas terminam na hora. Só quem abre este e-mail define a nova senha. As permissões ficam.',
    send: (id: number) => call(usersApi.inviteMailboxOwner, { params: { id }, body: null }),
  },
  unlinkProvider: {
    question: 'Desligar a conta desta pessoa do provedor?',
    done: 'Conta desligada!',
    confirm: 'Sim, desligar',
    failed: 'Não foi possível desligar',
    consequence:
      'As sessões abertas terminam na hora. Quem entrar pelo provedor com este e-mail confirmado fica ligado à conta de novo: para impedir, bloqueie-a ou troque o e-mail.',
    send: (id: number) => call(oidcApi.unlink, { params: { id } }),
  },
}

type Texts = Pick<
  ComponentProps<typeof ConfirmDelete<User>>,
  'question' | 'done' | 'outcome' | 'confirm' | 'failed' | 'consequence'
>
type ActionTexts = Texts & { send: (id: number) => Promise<unknown>; withoutMail?: Partial<Texts> }

export type UserAction = keyof typeof actions

interface UserActionDialogProps {
  action: UserAction
  /** Undefined closes the dialog. */
  user: User | undefined
  onClose: () => void
  onDone?: () => void
}

/** Asks for confirmation of an action on an account and carries it out. */
export const UserActionDialog = ({ action, user, onClose, onDone }: UserActionDialogProps) => {
  const client = useQueryClient()
  const { send, withoutMail, ...texts }: ActionTexts = actions[action]
  const sendsMail = useSendsMail()
  return (
    <ConfirmDelete
      {...texts}
      {...(sendsMail ? {} : withoutMail)}
      target={user}
      onClose={onClose}
      nameOf={({ nomeUsuario, emailUsuario }) => `${nomeUsuario} (${emailUsuario})`}
      // Also after a refusal: another ADMIN may have changed the account.
      remove={({ idUsuario }) => send(idUsuario).finally(() => refreshAfter(client, userEntity))}
      onDeleted={() => onDone?.()}
    />
  )
}
