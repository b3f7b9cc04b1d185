import type { Notice } from '../../platform/notifications/notify.ts'

interface Waiting {
  idUsuario: number | undefined
  nomeUsuario: string
  emailUsuario: string
}

/** Returns the notification about an account that needs approval. */
export const accountWaiting = ({ idUsuario, nomeUsuario, emailUsuario }: Waiting): Notice => ({
  // The same statement runs for an e-mail that has an account.
  audience: idUsuario === undefined ? [] : 'administradores',
  kind: 'conta_aguardando',
  subject: `usuario:${idUsuario}`,
  bell: {
    titulo: 'Conta aguardando aprovação',
    texto: `${nomeUsuario} (${emailUsuario}) pediu uma conta.`,
    rota: '/usuario?situacao=PENDENTE',
  },
})
