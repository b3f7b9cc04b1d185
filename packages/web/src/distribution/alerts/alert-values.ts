import {
  type Alert,
  AlertDraft,
  type AlertForms,
  type AlertRow,
  type AlertSource,
  type AlertVisual,
  MAX_CELL_LETTERS,
  numberText,
  type PanelChoice,
} from '@bi-manager/contract'
import {
  type RecurrenceValues,
  recurrenceDraft,
  recurrenceValues,
} from '../../ui/recurrence/recurrence-values.ts'
import { checkedDraft } from '../deliveries/checked-draft.ts'
import type { PartProps as FormPartProps } from '../deliveries/delivery-form.tsx'
import { rowText } from './alert-texts.ts'

/** What is on the screen when an alert is made. */
export interface AlertScreen {
  pagina: string | null
  filtros: PanelChoice
  /** The visual in whose menu 'Criar alerta' was chosen. */
  visual?: string | undefined
}

export interface AlertValues extends RecurrenceValues<Alert['frequencia']> {
  nomeAlerta: string
  pagina: string | null
  filtros: PanelChoice
  visual: string
  coluna: string
  linha: AlertRow | null
  consulta: string
  condicao: Alert['condicao']
  /** As typed; a percentage for a column that shows percentages. */
  limite: string
  percentual: boolean
  porEmail: boolean
  webhook: string
}

export type PartProps = FormPartProps<AlertValues>

export const newValues = ({ pagina, filtros, visual = '' }: AlertScreen): AlertValues => ({
  nomeAlerta: '',
  pagina,
  filtros,
  visual,
  coluna: '',
  linha: null,
  consulta: '',
  condicao: 'ACIMA',
  limite: '',
  percentual: false,
  ...recurrenceValues({ frequencia: 'ATUALIZACAO' }),
  porEmail: true,
  webhook: '',
})

export const valuesOf = (alert: Alert): AlertValues => ({
  nomeAlerta: alert.nomeAlerta,
  pagina: alert.pagina,
  filtros: alert.filtros,
  visual: alert.visual ?? '',
  coluna: alert.coluna ?? '',
  linha: alert.linha,
  consulta: alert.consulta ?? '',
  condicao: alert.condicao,
  percentual: alert.percentual,
  limite: alert.limite === null ? '' : numberText(typedNumber, scaled(alert.limite, factorOf(alert))),
  ...recurrenceValues(alert),
  porEmail: alert.porEmail,
  webhook: alert.webhook ?? '',
})

const typedNumber = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 17, useGrouping: false })
/** Multiplies by 100 or 1/100, which changes the last digits of a double. */
const scaled = (limit: number, factor: number): number =>
  factor === 1 ? limit : Number((limit * factor).toPrecision(15))

/** People type 85 for a value of 0.85 that the report shows as 85%. */
const factorOf = ({ formato, percentual }: Pick<Alert, 'formato' | 'percentual'>): number =>
  formato === 'percentual' && !percentual ? 100 : 1

/** Returns the number that a Brazilian typed; undefined for another text. */
export const numberOf = (text: string): number | undefined => {
  const plain = text.trim().replace(/\s/g, '')
  const isGrouped = /^[-−]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(plain)
  if (!isGrouped && !/^[-−]?\d+([,.]\d+)?$/.test(plain)) return undefined
  return Number((isGrouped ? plain.replaceAll('.', '') : plain).replace(',', '.').replace('−', '-'))
}

interface DraftInput {
  base: Alert | undefined
  origem: AlertSource
  /** The format of the chosen column. */
  formato: string | null
}

/** Returns the condition as it is stored; the limit is null while it is not a number. */
export const conditionOf = (
  { condicao, limite, percentual }: Pick<AlertValues, 'condicao' | 'limite' | 'percentual'>,
  formato: string | null,
) => {
  const isPercentage = condicao === 'VARIOU' && percentual
  const limit = condicao === 'AUSENTE' ? undefined : numberOf(limite)
  return {
    condicao,
    limite: limit === undefined ? null : scaled(limit, 1 / factorOf({ formato, percentual: isPercentage })),
    percentual: isPercentage,
  }
}

/** Returns the request body, and what is wrong with it by field. */
export const draftOf = (values: AlertValues, { base, origem, formato }: DraftInput) => {
  const isDax = origem === 'DAX'
  return checkedDraft(AlertDraft, {
    nomeAlerta: values.nomeAlerta,
    origem,
    porEmail: values.porEmail,
    ...conditionOf(values, formato),
    pagina: isDax ? null : values.pagina,
    visual: isDax ? null : values.visual,
    coluna: isDax ? null : values.coluna,
    linha: isDax ? null : values.linha,
    filtros: isDax ? {} : values.filtros,
    consulta: isDax ? values.consulta : null,
    ...recurrenceDraft(values),
    webhook: values.webhook.trim() === '' ? null : values.webhook,
    ativo: base?.ativo ?? true,
  })
}

/**
 * Returns the columns that identify a row: its texts, and the others where rows have the same ones,
 * without texts that are too long for an alert.
 * @returns undefined for a row that no columns but the watched one tell from another
 */
export const keyOf = ({ colunas, linhas }: AlertVisual, index: number, coluna: string) => {
  const row = linhas[index] ?? []
  const isLong = (at: number) => String(row[at] ?? '').length > MAX_CELL_LETTERS
  const others = colunas
    .map(({ nome }, at) => ({ nome, at }))
    .filter(({ nome, at }) => nome !== coluna && !isLong(at))
  const texts = others.filter(({ at }) => typeof row[at] === 'string')
  for (const key of [texts, others]) {
    const same = linhas.filter((other) => key.every(({ at }) => other[at] === row[at]))
    if (key.length > 0 && key.length <= 20 && same.length === 1)
      return Object.fromEntries(key.map(({ nome, at }) => [nome, row[at] ?? null])) as AlertRow
  }
  return undefined
}

export const formsOf = ({ colunas }: AlertVisual): AlertForms =>
  Object.fromEntries(colunas.map(({ nome, tipo, formato }) => [nome, { tipo, formato }]))

/** Returns the rows that an alert on the column can watch; none for a visual with one row. */
export const rowChoices = (visual: AlertVisual, coluna: string): { label: string; linha: AlertRow }[] =>
  visual.linhas.length <= 1 && !visual.cortado
    ? []
    : visual.linhas.flatMap((_, index) => {
        const linha = keyOf(visual, index, coluna)
        return linha ? [{ label: rowText(linha, formsOf(visual)), linha }] : []
      })

/** Returns the cell that the values name, if the visual has it. */
export const cellOf = (visual: AlertVisual, { coluna, linha }: Pick<AlertValues, 'coluna' | 'linha'>) => {
  const at = visual.colunas.findIndex(({ nome }) => nome === coluna)
  const column = visual.colunas[at]
  const row = visual.linhas.find((cells) =>
    Object.entries(linha ?? {}).every(
      ([name, value]) => cells[visual.colunas.findIndex(({ nome }) => nome === name)] === value,
    ),
  )
  return column && row ? { column, value: row[at] ?? null } : undefined
}
