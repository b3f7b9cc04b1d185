import type { MailOutcome } from '@bi-manager/contract'
import type { Generated } from 'kysely'
import type { Timestamp } from './clinical-tables.ts'

/** The cause of a failed delivery. */
export type MailFailureKind =
  | 'endereco'
  | 'mensagem'
  | 'remetente'
  | 'credencial'
  | 'certificado'
  | 'conexao'
  | 'pasta'
  | 'outra'

interface CorreioTable {
  unico: Generated<boolean>
  entregueEm: Timestamp | null
  falhandoDesde: Timestamp | null
  codigo: string | null
  motivo: MailFailureKind | null
}

interface FalhaEmailTable {
  idMensagem: number
  modelo: string
  codigo: string
  motivo: MailFailureKind
  em: Timestamp
  desfecho: MailOutcome
}

interface EmailNaoEntregueTable {
  idUsuario: number
  email: string
  codigo: string
  motivo: MailFailureKind
  em: Timestamp
}

interface TesteConexaoTable {
  idPowerBi: number
  versao: number
  em: Timestamp
  resultado: 'ok' | 'falha' | 'parcial'
  detalhe: string
}

interface AvisoSistemaTable {
  causa: string
  ocorrencia: string
  em: Timestamp
}

/** Data of the system status page and the alerts already sent. */
export interface SystemTables {
  correio: CorreioTable
  falhaEmail: FalhaEmailTable
  emailNaoEntregue: EmailNaoEntregueTable
  testeConexao: TesteConexaoTable
  avisoSistema: AvisoSistemaTable
}
