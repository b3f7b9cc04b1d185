import type { NotificationDraft } from './notify.ts'

interface Waiting {
  idUsuario: number | undefined
  nomeUsuario: string
  emailUsuario: string
}

/** What administrators are told of an account that somebody must approve, however it was asked for. */
export const accountWaiting = ({ idUsuario, nomeUsuario, emailUsuario }: Waiting): NotificationDraft => ({
  tipo: 'conta_aguardando',
  titulo: 'Conta aguardando aprovação',
  texto: `${nomeUsuario} (${emailUsuario}) pediu uma conta.`,
  rota: '/usuario?situacao=PENDENTE',
  assunto: `usuario:${idUsuario}`,
})
