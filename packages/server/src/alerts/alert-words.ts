import type { AlertCell } from '@bi-manager/contract'
import { dateText } from '@bi-manager/contract/filter-text'
import { numberText } from '@bi-manager/contract/number-text'
import type { AlertRow } from './judge-alert.ts'

const plain = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 })
const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const percent = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 2 })

/** Returns a value as the report's column shows it; 'sem valor' for null. */
export const valueText = (value: number | null, formato: string | null): string => {
  if (value === null) return 'sem valor'
  if (formato === 'percentual') return numberText(percent, value)
  if (formato === 'inteiro') return numberText(whole, value)
  return numberText(formato?.startsWith('moeda') ? money : plain, value)
}

type Condition = Pick<AlertRow, 'condicao' | 'limite' | 'percentual' | 'formato'>

/** @example 'acima de R$ 1.000,00' */
export const conditionText = ({ condicao, limite, percentual, formato }: Condition): string => {
  const limit = percentual ? `${plain.format(limite ?? 0)}%` : valueText(limite, formato)
  const texts = {
    ACIMA: `acima de ${limit}`,
    ABAIXO: `abaixo de ${limit}`,
    VARIOU: `variação de ${limit} ou mais`,
    AUSENTE: 'valor ausente',
  }
  return texts[condicao]
}

/** @example 'Operadora: CNU; Ano: 2026' */
export const rowText = (linha: AlertRow['linha']): string | null =>
  linha &&
  Object.entries(linha)
    .map(([column, value]) => `${column}: ${cellText(value)}`)
    .join('; ')

const cellText = (cell: AlertCell): string => {
  if (cell === null || cell === '') return 'vazio'
  if (typeof cell === 'boolean') return cell ? 'Sim' : 'Não'
  return dateText(String(cell))
}

type Place = Pick<AlertRow, 'origem' | 'rotuloColuna' | 'tituloVisual'>

/** @example 'Custo em “Resumo”' */
export const placeText = ({ origem, rotuloColuna, tituloVisual }: Place): string => {
  if (origem === 'DAX') return 'Consulta DAX'
  // The number of a card has the card's title.
  return rotuloColuna === tituloVisual ? `“${tituloVisual}”` : `${rotuloColuna} em “${tituloVisual}”`
}
