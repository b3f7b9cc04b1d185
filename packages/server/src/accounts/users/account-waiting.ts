import type { NotificationDraft } from '../../platform/notifications/notify.ts'

interface Waiting {
  idUsuario: number | undefined
  nomeUsuario: string
  emailUsuario: string
}

/** Returns the notification about an account that needs approval. */
export const accountWaiting = ({ idUsuario, nomeUsuario, emailUsuario }: Waiting): NotificationDraft => ({
  tipo: 'conta_aguardando',
  titulo: 'Conta aguardando aprovação',
  texto: `${nomeUsuario} (${emailUsuario}) pediu uma conta.`,
  rota: '/usuario?situacao=PENDENTE',
  assunto: `usuario:${idUsuario}`,
})
