import type {
  Alert,
  AlertCell,
  AlertChannel,
  AlertCondition,
  AlertDeliveryState,
  AlertEvaluation,
  AlertFrequency,
  AlertOutcome,
  AlertRow,
} from '@bi-manager/contract'
import { dateText } from '@bi-manager/contract/filter-text'
import { PORTAL_ZONE, zoneName } from '../subscription/time-zones.ts'

export const conditionTexts: Record<AlertCondition, string> = {
  ACIMA: 'Ficar acima de',
  ABAIXO: 'Ficar abaixo de',
  VARIOU: 'Variar',
  AUSENTE: 'Ficar sem valor',
}

export const frequencyTexts: Record<AlertFrequency, string> = {
  ATUALIZACAO: 'Depois de cada atualização dos dados',
  HORA: 'De hora em hora',
  DIARIA: 'Todo dia',
  DIAS_UTEIS: 'De segunda a sexta',
}

export const outcomeTexts: Record<AlertOutcome, string> = {
  INICIAL: 'Primeiro valor',
  NORMAL: 'Condição não atingida',
  CRUZOU: 'Atingiu a condição',
  CONTINUA: 'Continua atingida',
  SEM_VALOR: 'Sem valor',
  FALHOU: 'Falhou',
  RECUSADA: 'Não avaliado',
}

const channelTexts: Record<AlertChannel, string> = { EMAIL: 'E-mail', WEBHOOK: 'Webhook' }

const deliveryTexts: Record<AlertDeliveryState, string> = {
  NA_FILA: 'na fila',
  ENVIADO: 'enviado',
  NAO_ENVIADO: 'não enviado',
  FALHOU: 'falhou',
}

/** @example 'E-mail enviado · Webhook falhou: O webhook respondeu 500.' */
export const deliveriesText = (envios: AlertEvaluation['envios']): string =>
  envios
    .map(
      ({ canal, estado, motivo }) =>
        `${channelTexts[canal]} ${deliveryTexts[estado]}${motivo ? `: ${motivo}` : ''}`,
    )
    .join(' · ')

const plain = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 })
const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const percent = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 2 })

/** Returns a value as the report's column shows it; '–' for null. */
export const valueText = (value: number | null, formato: string | null): string => {
  if (value === null) return '–'
  if (formato === 'percentual') return percent.format(value)
  if (formato === 'inteiro') return whole.format(value)
  return formato?.startsWith('moeda') ? money.format(value) : plain.format(value)
}

/** Returns a cell of a row, as a choice shows it. */
export const cellText = (cell: AlertCell): string => {
  if (cell === null || cell === '') return 'vazio'
  if (typeof cell === 'boolean') return cell ? 'Sim' : 'Não'
  // A year has no separator.
  return typeof cell === 'number' ? cell.toLocaleString('pt-BR', { useGrouping: false }) : dateText(cell)
}

/** @example 'CNU · 2026' */
export const rowText = (row: AlertRow): string => Object.values(row).map(cellText).join(' · ')

type Condition = Pick<Alert, 'condicao' | 'limite' | 'percentual' | 'formato'>

/** @example 'acima de R$ 1.000,00' */
export const conditionText = ({ condicao, limite, percentual, formato }: Condition): string => {
  const limit = percentual ? `${plain.format(limite ?? 0)}%` : valueText(limite, formato)
  const texts: Record<AlertCondition, string> = {
    ACIMA: `acima de ${limit}`,
    ABAIXO: `abaixo de ${limit}`,
    VARIOU: `variação de ${limit} ou mais`,
    AUSENTE: 'sem valor',
  }
  return texts[condicao]
}

/** @example 'Custo em “Resumo” · CNU' */
export const targetText = ({ origem, rotuloColuna, tituloVisual, linha }: Alert): string => {
  if (origem === 'DAX') return 'Consulta DAX'
  const place = rotuloColuna === tituloVisual ? tituloVisual : `${rotuloColuna} em “${tituloVisual}”`
  return `${place}${linha ? ` · ${rowText(linha)}` : ''}`
}

/** @example 'Todo dia às 07:30' */
export const frequencyText = ({
  frequencia,
  horario,
  fuso,
}: Pick<Alert, 'frequencia' | 'horario' | 'fuso'>): string => {
  const days = frequencyTexts[frequencia]
  if (!horario) return days
  return `${days} às ${horario}${fuso === PORTAL_ZONE ? '' : `, horário de ${zoneName(fuso)}`}`
}
