/** What happened to somebody's second factor. */
export type FactorChange =
  | { mudanca: 'ativado' | 'trocado' | 'desativado' | 'codigos' }
  /** By the administrator of this name. */
  | { mudanca: 'redefinido'; por: string }

/** Every message that the product writes, with what its text needs. Addresses are whole, under PUBLIC_URL. */
export type Mail =
  /** To somebody who asked for a new password; the link lasts `minutos`. */
  | { modelo: 'recuperacao'; nome: string; link: string; minutos: number }
  /** To somebody whom an administrator invited; the link lasts `dias`. */
  | { modelo: 'convite'; nome: string; convidadoPor: string; link: string; dias: number }
  /** To the mailbox given with a request for an account by a person of this name; the link lasts `dias`. */
  | { modelo: 'confirmacao'; nome: string; link: string; dias: number; aguardaAprovacao: boolean }
  | { modelo: 'conta_aprovada'; nome: string; link: string }
  | { modelo: 'conta_recusada'; nome: string }
  /** To somebody who has an account and whose e-mail was given in the sign-up form: by them, or by another. */
  | { modelo: 'conta_existente'; nome: string; link: string }
  /** ISO instant. */
  | { modelo: 'senha_alterada'; nome: string; quando: string }
  /** The link, valid for 24 hours, removes a second factor that the person did not set up. */
  | ({ modelo: 'segundo_fator'; nome: string; quando: string; link?: string | undefined } & FactorChange)
  /** To somebody whom the provider vouches for, and with whose e-mail another may have asked for the account. */
  | { modelo: 'senha_retirada'; nome: string; quando: string }
  /** To the person who proved the e-mail of an account that another identity had asked for. */
  | { modelo: 'identidade_retirada'; nome: string; quando: string }
  | { modelo: 'provedor_desligado'; nome: string; por: string; quando: string }
  /** To the earlier address of an account whose e-mail an administrator of this name changed. */
  | { modelo: 'email_alterado'; nome: string; por: string; quando: string }
  /** To the ADMIN who asked for it on the status page. */
  | { modelo: 'teste'; nome: string; quando: string }
