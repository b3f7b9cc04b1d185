import type { Actor, Pending, SessionProof } from '@bi-manager/contract'

/** The person behind a request, read live from the session's row on each call. */
export interface Caller extends Actor {
  idUsuario: number
  nomeUsuario: string
  emailUsuario: string
  /** Whether something proves that the e-mail is the person's. */
  emailComprovado: boolean
  idResponsavel: number
  identidadeRls: string | null
  idSessao: string
  /** What the person is asked for before anything else. */
  pendencia: Pending | null
  temSenha: boolean
  temSegundoFator: boolean
  /** How the session began: with a password of ours, or through the identity provider. */
  metodo: 'senha' | 'provedor'
  sessaoCriadaEm: Date
  /** When the person last proved in this session who they are, after the sign-in, and with what. */
  sessaoConfirmadaEm: Date | null
  sessaoConfirmadaCom: SessionProof | null
  sessaoExpiraEm: Date
  /** Changes whenever what this person may see can have changed: what is kept in memory for them carries it. */
  versaoAcesso: string
  /** Changes whenever a notification comes, or is read. */
  versaoNotificacoes: number
  /** The last use that is written down: the idle limit counts from here. */
  sessaoUsadaEm: Date
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that is not public. */
    caller: Caller | undefined
  }
}
