import {
  type Alert,
  type AlertChannel,
  type AlertCondition,
  type AlertDeliveryState,
  type AlertEvaluation,
  type AlertForms,
  type AlertOutcome,
  type AlertRow,
  alertCellText,
  alertLimitText,
  alertValueText,
  ownValue,
} from '@bi-manager/contract'

export const conditionTexts: Record<AlertCondition, string> = {
  ACIMA: 'Ficar acima de',
  ABAIXO: 'Ficar abaixo de',
  VARIOU: 'Variar',
  AUSENTE: 'Ficar sem valor',
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

/** Returns a value as the report's column shows it; '–' for null. */
export const valueText = (value: number | null, formato: string | null): string =>
  value === null ? '–' : alertValueText(value, formato)

/** @example 'CNU · 2026' */
export const rowText = (row: AlertRow, forms: AlertForms | null): string =>
  Object.entries(row)
    .map(([column, cell]) => alertCellText(cell, ownValue(forms ?? {}, column)))
    .join(' · ')

type Condition = Pick<Alert, 'condicao' | 'limite' | 'percentual' | 'formato'>

/** @example 'acima de R$ 1.000,00' */
export const conditionText = ({ condicao, ...condition }: Condition): string => {
  const limit = alertLimitText(condition)
  const texts: Record<AlertCondition, string> = {
    ACIMA: `acima de ${limit}`,
    ABAIXO: `abaixo de ${limit}`,
    VARIOU: `variação de ${limit} ou mais`,
    AUSENTE: 'sem valor',
  }
  return texts[condicao]
}

/** @example 'Custo em “Resumo” · CNU' */
export const targetText = ({ origem, rotuloColuna, tituloVisual, linha, formas }: Alert): string => {
  if (origem === 'DAX') return 'Consulta DAX'
  const place = rotuloColuna === tituloVisual ? tituloVisual : `${rotuloColuna} em “${tituloVisual}”`
  return `${place}${linha ? ` · ${rowText(linha, formas)}` : ''}`
}
