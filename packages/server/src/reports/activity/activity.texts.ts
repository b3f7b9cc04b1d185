import type { AuditAction } from '@bi-manager/contract'

/** The part of an audit line that its text needs. */
interface AccountEvent {
  acao: string
  detalhes: Record<string, unknown>
  /** Whether the user did it themselves. */
  isOwn: boolean
  /** The name of the user who did it; null for the portal, and after the account is deleted. */
  nomeAutor: string | null
}

type Text = (event: AccountEvent) => string | undefined

/** The actions that concern an account, with their text for its user; undefined hides the event. */
const texts = {
  'session.created': ({ detalhes }) =>
    detalhes.metodo === 'provedor'
      ? 'Entrou pelo provedor de identidade'
      : `Entrou com ${signInMethods[String(detalhes.metodo)] ?? 'senha'}`,
  'session.refused': ({ detalhes }) => `Entrada recusada: ${why[String(detalhes.motivo)] ?? 'dados errados'}`,
  'session.ended': () => 'Saiu',
  'session.revoked': ({ detalhes }) =>
    detalhes.sessoesEncerradas === 1 ? 'Encerrou um acesso' : 'Encerrou os acessos abertos',
  'session.confirmed': ({ detalhes }) =>
    detalhes.meio === 'codigo' ? 'Confirmou com um código que é você' : 'Confirmou com a senha que é você',
  'session.confirmation-refused': ({ detalhes }) =>
    `Confirmação recusada: ${detalhes.meio === 'codigo' ? 'código errado' : 'senha errada'}`,
  'account.approved': () => 'Conta aprovada',
  'account.invited': () => 'Convite enviado',
  'account.email-confirmed': () => 'E-mail confirmado',
  'account.linked': ({ detalhes }) =>
    detalhes.senhaRetirada
      ? 'Conta ligada ao provedor de identidade; a senha de quem a pediu foi retirada'
      : 'Conta ligada ao provedor de identidade',
  'account.unlinked': ({ detalhes, isOwn }) =>
    isOwn
      ? undefined
      : detalhes.motivo
        ? 'Identidade do provedor desligada: foi ligada antes de o e-mail ser confirmado'
        : 'Conta desligada do provedor de identidade por um administrador',
  'password.recovery-asked': () => 'Pedido de recuperação de senha',
  'password.changed': ({ detalhes }) =>
    detalhes.meio === 'recuperacao'
      ? 'Senha trocada pelo link de recuperação'
      : detalhes.meio === 'convite'
        ? 'Senha definida pelo convite'
        : 'Senha trocada',
  'password.change-refused': ({ detalhes }) =>
    `Troca de senha recusada: ${why[String(detalhes.motivo)] ?? String(detalhes.motivo)}`,
  'second-factor.enabled': () => 'Segundo fator ativado',
  'second-factor.replaced': () => 'Aparelho do segundo fator trocado',
  'second-factor.disabled': () => 'Segundo fator desativado',
  'second-factor.codes-renewed': () => 'Códigos de recuperação trocados',
  'second-factor.code-used': () => 'Código de recuperação usado',
  'second-factor.reset': ({ isOwn }) => (isOwn ? undefined : 'Segundo fator retirado por um administrador'),
  'report.viewed-as': ({ detalhes, nomeAutor }) => {
    const report = detalhes.nomeRelatorio ? `o relatório “${detalhes.nomeRelatorio}”` : 'um relatório'
    return `${nomeAutor ?? 'Um administrador'} abriu ${report} com os seus acessos`
  },
  'user.created': ({ isOwn }) => (isOwn ? undefined : 'Conta criada por um administrador'),
  'user.updated': ({ detalhes, isOwn }) => {
    const { depois } = detalhes
    if (isOwn || typeof depois !== 'object' || depois === null) return undefined
    return 'senhaUsuario' in depois
      ? 'Senha trocada por um administrador'
      : 'Conta editada por um administrador'
  },
} as const satisfies Partial<Record<AuditAction, Text>>

const signInMethods: Record<string, string> = {
  'senha + código': 'senha e código do segundo fator',
  'senha + código de recuperação': 'senha e código de recuperação',
}

const why: Record<string, string> = {
  'conta pendente': 'a conta ainda não foi aprovada',
  'conta vencida': 'o prazo da conta terminou',
  conta_vencida: 'o prazo da conta terminou',
  'rede não permitida': 'rede não permitida',
  'conta bloqueada': 'a conta está bloqueada',
  conta_pendente: 'a conta ainda não foi aprovada',
  conta_bloqueada: 'a conta está bloqueada',
  credenciais: 'senha errada',
  'limite de tentativas': 'muitas tentativas',
  'código do segundo fator': 'código errado',
}

export const accountActions = Object.keys(texts)

/** Returns the text, or undefined when the event is not shown to this user. */
export const textOf = (event: AccountEvent): string | undefined =>
  texts[event.acao as keyof typeof texts]?.(event)
