import type { Actor, Pending, ReauthenticationMethod } from '@bi-manager/contract'
import type { CallingKey } from './calling-key.ts'

/** The user behind a request, read from the row of the session or the API key on each call. */
export interface Caller extends Actor {
  /** Only for a call with an API key, which has no session: the times below are the key's. */
  chave?: CallingKey
  idUsuario: number
  nomeUsuario: string
  emailUsuario: string
  /** Whether the e-mail is verified as the user's own. */
  emailComprovado: boolean
  idResponsavel: number
  identidadeRls: string | null
  /** Of a key: `chave:12`. */
  idSessao: string
  /** What the user must do before any other call. */
  pendencia: Pending | null
  temSenha: boolean
  temSegundoFator: boolean
  /** How the session began: with a password of the portal, or through the identity provider. */
  metodo: 'senha' | 'provedor'
  sessaoCriadaEm: Date
  /** When the user last confirmed their identity in this session after the sign-in, and how. */
  sessaoConfirmadaEm: Date | null
  sessaoConfirmadaCom: ReauthenticationMethod | null
  sessaoExpiraEm: Date
  /** Changes when what this user may see may have changed; keys the per-user caches. */
  versaoAcesso: string
  /** The networks from which people of this role may call. An empty list allows all networks. */
  redes: string[]
  /** When time alone changes what the user may do: the account or the next grant ends. */
  acessoMudaEm: Date | null
  /** Changes when a notification is added or read. */
  versaoNotificacoes: number
  /** The last recorded user activity; the idle limit counts from it. */
  sessaoUsadaEm: Date
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that is not public. */
    caller: Caller | undefined
  }
}
