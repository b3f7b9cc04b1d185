import type {
  MonthDay,
  PanelChoice,
  SubscribedVisual,
  Subscription,
  SubscriptionDelivery,
  SubscriptionFormat,
  SubscriptionFrequency,
  SubscriptionMailState,
  SubscriptionRunCause,
  SubscriptionRunState,
} from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Encrypted } from '../../config/secrets.ts'
import type { Timestamp } from './timestamp.ts'

/** Reports sent by e-mail: subscriptions, their recipients and their runs. */
export interface SubscriptionTables {
  /** One row. */
  assinaturaRegras: {
    unico: Generated<boolean>
    dominios: Generated<string[]>
    anexosRestritos: Generated<boolean>
    anexoMb: Generated<number>
    versao: Generated<number>
  }
  assinatura: {
    idAssinatura: Generated<number>
    idRelatorio: number
    idDono: number
    assunto: string
    assuntoOrdem: ColumnType<string, never, never>
    assuntoBusca: ColumnType<string, never, never>
    assuntoNatural: ColumnType<string, never, never>
    nota: string | null
    idVisao: number | null
    pagina: string | null
    tituloPagina: string | null
    /** JSON text when written, parsed when read. */
    visuais: ColumnType<SubscribedVisual[], string | undefined, string>
    /** JSON text when written, parsed when read. */
    filtros: ColumnType<PanelChoice, string, string>
    marcador: string | null
    parametros: string[]
    formato: SubscriptionFormat
    entrega: SubscriptionDelivery
    frequencia: SubscriptionFrequency
    horario: string | null
    diaSemana: Subscription['diaSemana']
    diaMes: MonthDay | null
    fuso: string
    pulaVazio: boolean
    pulaInalterado: boolean
    ativa: boolean
    proximaEm: Timestamp | null
    atualizadaAte: Timestamp
    versao: Generated<number>
  }
  assinaturaPessoa: { idAssinatura: number; idUsuario: number }
  assinaturaPerfil: { idAssinatura: number; idPerfil: number }
  /** The password of a person's PDFs; empty when its key was lost. */
  senhaPdf: { idUsuario: number; senha: Encrypted; definidaEm: Timestamp }
  assinaturaSaida: { idAssinatura: number; idUsuario: number; em: Timestamp }
  assinaturaExecucao: {
    idExecucao: Generated<number>
    idAssinatura: number
    causa: SubscriptionRunCause
    estado: Generated<SubscriptionRunState>
    previstaEm: Timestamp
    iniciadaEm: Timestamp | null
    preparadaEm: Timestamp | null
    terminadaEm: Timestamp | null
    frase: string | null
    dadosDe: Timestamp | null
    filtros: string | null
    /** Only versions before 0.3.0 write and read it. */
    consulta: string | null
    repeticoes: Generated<number>
    tentarEm: Timestamp
    ocupadaAte: Timestamp | null
  }
  assinaturaArquivo: {
    idArquivo: Generated<number>
    idExecucao: number
    alcance: string
    estado: Generated<'PENDENTE' | 'GERANDO' | 'PRONTO' | 'FALHOU'>
    externo: string | null
    pedidoEm: Timestamp | null
    arquivo: string | null
    chave: Encrypted | null
    bytes: number | null
    resumo: string | null
    frase: string | null
    repeticoes: Generated<number>
    tentarEm: Timestamp
    ocupadoAte: Timestamp | null
  }
  assinaturaEntrega: {
    idExecucao: number
    idUsuario: number
    estado: Generated<SubscriptionMailState>
    motivo: string | null
    em: Timestamp
    idArquivo: number | null
  }
}
