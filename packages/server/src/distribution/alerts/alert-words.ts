import { alertCellText, alertLimitText, alertValueText, ownValue } from '@bi-manager/contract'
import type { AlertRow } from './alert-access.ts'

/** Returns a value as the report's column shows it; 'sem valor' for null. */
export const valueText = (value: number | null, formato: string | null): string =>
  value === null ? 'sem valor' : alertValueText(value, formato)

type Condition = Pick<AlertRow, 'condicao' | 'limite' | 'percentual' | 'formato'>

/** @example 'acima de R$ 1.000,00' */
export const conditionText = ({ condicao, ...condition }: Condition): string => {
  const limit = alertLimitText(condition)
  const texts = {
    ACIMA: `acima de ${limit}`,
    ABAIXO: `abaixo de ${limit}`,
    VARIOU: `variação de ${limit} ou mais`,
    AUSENTE: 'valor ausente',
  }
  return texts[condicao]
}

/** @example 'Operadora: CNU; Ano: 2026' */
export const rowText = ({ linha, formas }: Pick<AlertRow, 'linha' | 'formas'>): string | null =>
  linha &&
  Object.entries(linha)
    .map(([column, value]) => `${column}: ${alertCellText(value, ownValue(formas ?? {}, column))}`)
    .join('; ')

type Place = Pick<AlertRow, 'origem' | 'rotuloColuna' | 'tituloVisual'>

/** @example 'Custo em “Resumo”' */
export const placeText = ({ origem, rotuloColuna, tituloVisual }: Place): string => {
  if (origem === 'DAX') return 'Consulta DAX'
  // The number of a card has the card's title.
  return rotuloColuna === tituloVisual ? `“${tituloVisual}”` : `${rotuloColuna} em “${tituloVisual}”`
}
