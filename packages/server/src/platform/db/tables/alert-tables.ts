import type {
  AlertChannel,
  AlertCondition,
  AlertDeliveryState,
  AlertForms,
  AlertFrequency,
  AlertOutcome,
  AlertRow,
  AlertSource,
  AlertState,
  PanelChoice,
} from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Encrypted } from '../../config/secrets.ts'
import type { Timestamp } from './timestamp.ts'

/** Alerts on values of reports, and the history of their evaluations. */
export interface AlertTables {
  alerta: {
    idAlerta: Generated<number>
    idRelatorio: number
    idDono: number
    nomeAlerta: string
    nomeOrdem: ColumnType<string, never, never>
    nomeBusca: ColumnType<string, never, never>
    nomeNatural: ColumnType<string, never, never>
    origem: AlertSource
    pagina: string | null
    tituloPagina: string | null
    visual: string | null
    tituloVisual: string | null
    coluna: string | null
    rotuloColuna: string | null
    formato: string | null
    /** JSON text when written, parsed when read. */
    chaveLinha: ColumnType<AlertRow | null, string | null, string | null>
    /** JSON text when written, parsed when read; null before the first evaluation by this version. */
    formas: ColumnType<AlertForms | null, string | null, string | null>
    filtros: ColumnType<PanelChoice, string, string>
    endereco: string
    emPalavras: string | null
    consulta: string | null
    condicao: AlertCondition
    limite: number | null
    percentual: Generated<boolean>
    frequencia: AlertFrequency
    horario: string | null
    fuso: string
    porEmail: Generated<boolean>
    /** JSON of `Webhook` (distribution/alerts/webhook.ts); empty when its key was lost. */
    webhook: Encrypted | null
    hostWebhook: string | null
    ativo: Generated<boolean>
    estado: Generated<AlertState>
    alcance: string | null
    valor: number | null
    valorEm: Timestamp | null
    referencia: number | null
    falha: string | null
    repeticoes: Generated<number>
    proximaEm: Timestamp | null
    ocupadoAte: Timestamp | null
    atualizadaAte: Timestamp
    versao: Generated<number>
  }
  alertaAvaliacao: {
    idAvaliacao: Generated<number>
    idAlerta: number
    em: Timestamp
    resultado: AlertOutcome
    valor: number | null
    anterior: number | null
    frase: string | null
    duracaoMs: number
    alcance: string | null
    versaoAlerta: number
  }
  alertaEnvio: {
    idAvaliacao: number
    canal: AlertChannel
    estado: Generated<AlertDeliveryState>
    motivo: string | null
    em: Timestamp
    tentativas: Generated<number>
    tentarEm: Timestamp | null
  }
}
