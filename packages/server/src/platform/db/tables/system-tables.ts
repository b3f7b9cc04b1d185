import type { MailOutcome, SecretReading } from '@bi-manager/contract'
import type { Generated } from 'kysely'
import type { Encrypted } from '../../config/secrets.ts'
import type { Timestamp } from './timestamp.ts'

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

/**
 * The appearance, datasets with their refreshes and schedules, failures of e-mails, and the system
 * status page.
 */
export interface SystemTables {
  /** One row. */
  aparencia: {
    unico: Generated<boolean>
    nome: string | null
    cor: string | null
    /** A PNG. */
    logo: Uint8Array | null
    logoMarca: string | null
    versao: Generated<number>
  }
  /** Where a report's dataset is at the provider. */
  conjuntoRelatorio: {
    idRelatorio: number
    reportId: string
    idGrupoConjunto: string | null
    idConjunto: string | null
    lidoEm: Timestamp
  }
  /** When the data of a published report is replaced, and from where. */
  agendaDados: {
    idAgenda: Generated<number>
    /** In lower case. */
    reportId: string
    tabela: string
    origem: 'PASTA' | 'URL'
    endereco: Encrypted
    frequencia: 'HORA' | 'DIA'
    horario: string
    ativa: boolean
    proximaEm: Timestamp
    ultimaEm: Timestamp | null
    resultado: 'SUBSTITUIDO' | 'INALTERADO' | 'FALHOU' | null
    frase: string | null
    /** SHA-256 of the last run's file; a random text once data were replaced otherwise; null: none. */
    resumo: string | null
    ocupadaAte: Timestamp | null
    tentativas: Generated<number>
  }
  /** When the refreshes of a dataset were last read. */
  leituraAtualizacoes: {
    idPowerBi: number
    idConjunto: string
    lidaEm: Timestamp
    falhasAte: Timestamp
    /** The end of the newest completed refresh. */
    concluidaEm: Timestamp | null
  }
  correio: {
    unico: Generated<boolean>
    entregueEm: Timestamp | null
    falhandoDesde: Timestamp | null
    codigo: string | null
    motivo: MailFailureKind | null
  }
  falhaEmail: {
    idMensagem: number
    modelo: string
    codigo: string
    motivo: MailFailureKind
    em: Timestamp
    desfecho: MailOutcome
  }
  emailNaoEntregue: {
    idUsuario: number
    email: string
    codigo: string
    motivo: MailFailureKind
    em: Timestamp
  }
  testeConexao: {
    idPowerBi: number
    versao: number
    em: Timestamp
    resultado: 'ok' | 'falha' | 'parcial'
    detalhe: string
  }
  leituraSegredo: {
    idPowerBi: number
    versao: number
    proximaEm: Timestamp
    resultado: SecretReading | null
    venceEm: Timestamp | null
  }
  avisoSistema: {
    causa: string
    ocorrencia: string
    em: Timestamp
  }
}
