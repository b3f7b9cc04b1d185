import type { SubscriptionFormat } from '@bi-manager/contract'

/** A change of a user's second factor. */
export type FactorChange =
  | { mudanca: 'ativado' | 'trocado' | 'desativado' | 'codigos' }
  /** Reset by the administrator of the name `por`. */
  | { mudanca: 'redefinido'; por: string }

/** Titles of a change, in e-mails and in the bell. */
export const factorTitles: Record<FactorChange['mudanca'], string> = {
  ativado: 'Segundo fator ativado',
  trocado: 'Aparelho do segundo fator trocado',
  desativado: 'Segundo fator desativado',
  codigos: 'Códigos de recuperação trocados',
  redefinido: 'Segundo fator redefinido',
}

/** A report to one recipient of a subscription. */
export interface SubscriptionMessage {
  modelo: 'assinatura'
  nome: string
  assunto: string
  /** Written by who made the subscription; line breaks count. */
  nota: string | null
  relatorio: string
  /** The title of the page; null: the whole report. */
  pagina: string | null
  /** Titles of the chosen visuals of a spreadsheet; null: all of them. */
  visuais: string | null
  /** In words; null without filters. */
  filtros: string | null
  /** When the data were refreshed, in words; null when the provider does not say. */
  dadosDe: string | null
  /** Who made the subscription; null: the recipient. */
  feitaPor: string | null
  /** Sent by 'Enviar agora'. */
  ehTeste: boolean
  link: string
  /** For mail programs (RFC 8058), and for people. */
  saida: { oneClick: string; page: string }
  arquivo: { formato: SubscriptionFormat; conteudo: Buffer } | null
  /**
   * Why a wanted file is left out; null: none is. `SENHA`: the recipient has set a password, which
   * only a PDF can have. `OUTRO`: it is too large, or may not leave the portal.
   */
  semAnexo: 'SENHA' | 'OUTRO' | null
  /** The PDF opens with the recipient's password. */
  comSenha: boolean
}

/** A crossing of an alert, to its owner. */
export interface AlertMessage {
  modelo: 'alerta'
  nome: string
  nomeAlerta: string
  relatorio: string
  /** The visual and its column. */
  onde: string
  /** In words; null for the only row, and where it may not leave the portal. */
  linha: string | null
  filtros: string | null
  condicao: string
  avaliadoEm: string
  /** Null: the values may not leave the portal. */
  valores: { valor: string; anterior: string | null; serie: NonNullable<MailText['serie']> } | null
  link: string
}

/** Every message of the product that is queued with its data. Links are absolute, under PUBLIC_URL. */
export type Mail =
  /** To a user who asked for a new password; the link is valid for `minutos`. */
  | { modelo: 'recuperacao'; nome: string; link: string; minutos: number }
  /** To a user whom an administrator invited; the link is valid for `dias`. */
  | { modelo: 'convite'; nome: string; convidadoPor: string; link: string; dias: number }
  /** To the address given in a request for an account; the link is valid for `dias`. */
  | { modelo: 'confirmacao'; nome: string; link: string; dias: number; aguardaAprovacao: boolean }
  | { modelo: 'conta_aprovada'; nome: string; link: string }
  | { modelo: 'conta_recusada'; nome: string }
  /** To a user whose e-mail was typed into the sign-up form, by them or another person. */
  | { modelo: 'conta_existente'; nome: string; link: string }
  /** ISO instant. */
  | { modelo: 'senha_alterada'; nome: string; quando: string }
  /** The link, valid for 24 hours, removes a second factor that the user did not set up. */
  | ({ modelo: 'segundo_fator'; nome: string; quando: string; link?: string | undefined } & FactorChange)
  /** To a user verified by the provider, whose account another person may have requested. */
  | { modelo: 'senha_retirada'; nome: string; quando: string }
  /** To the user who verified the e-mail of an account that another identity had requested. */
  | { modelo: 'identidade_retirada'; nome: string; quando: string }
  | { modelo: 'provedor_desligado'; nome: string; por: string; quando: string }
  /** To the earlier address of an account whose e-mail the administrator `por` changed. */
  | { modelo: 'email_alterado'; nome: string; por: string; quando: string }
  /** To the owner of a new API key; `permissoes` are titles of its groups. */
  | {
      modelo: 'chave_criada'
      nome: string
      chave: string
      permissoes: string[]
      quando: string
      vence: string
      link: string
    }
  /** To each ADMIN, before a secret expires and when it did; `texto` says when and what to do. */
  | { modelo: 'segredo_vence'; nome: string; segredo: string; texto: string; link: string }
  /** To a person whose account or grants end in seven days; `texto` names them and the days. */
  | { modelo: 'acesso_vence'; nome: string; titulo: string; texto: string; link: string }
  /** To a person whose request for access an ADMIN answered. */
  | {
      modelo: 'pedido_respondido'
      nome: string
      titulo: string
      texto: string
      link: string
      /** The link opens the report, which was granted. */
      abreRelatorio?: boolean
    }
  /** To a person mentioned in a comment. It has no word of the comment. */
  | { modelo: 'mencao'; nome: string; por: string; relatorio: string; link: string }
  /** To a guest; `ultimoDia` is yyyy-mm-dd. The link only sends the next message. */
  | {
      modelo: 'convidado_convite'
      nome: string
      por: string
      relatorio: string
      ultimoDia: string
      link: string
    }
  /** To a guest who asked for it; the link opens one visit, within `minutos`. */
  | { modelo: 'convidado_link'; nome: string; relatorio: string; link: string; minutos: number }
  /** To the ADMIN who asked for it on the status page. */
  | { modelo: 'teste'; nome: string; quando: string }

/** A message with all that its text needs. */
export type CompleteMail = Mail | SubscriptionMessage | AlertMessage

/** The content of a message, before its layout. */
export interface MailText {
  assunto: string
  titulo: string
  paragrafos: string[]
  /** Facts, such as the filters of a report. */
  detalhes?: { rotulo: string; valor: string }[]
  /** A chart of the last values; `parte` of the largest one, from 0 to 1. */
  serie?: { quando: string; valor: string; parte: number }[]
  /** The text in place of the picture that is part of the message. */
  figura?: string
  botao?: { texto: string; link: string }
  /** What to do if the recipient did not ask for this. */
  aviso: string
  /** A link below everything else. */
  saida?: { texto: string; link: string }
}
