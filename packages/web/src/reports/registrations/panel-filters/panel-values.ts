import type { DeclaredPanelFilter, PanelValue } from '@bi-manager/contract'

/** What the values of a column are: the filter must name them with their own type. */
export type ColumnType = 'TEXTO' | 'NUMERO' | 'LOGICO'

/** A filter as it is typed. */
export interface TypedPanelFilter {
  tabela: string
  coluna: string
  rotulo: string
  tipo: ColumnType
  /** One value in a line, with a label after ' = ' if it has one. */
  valores: string
  /** The default as its line names it; '' for none. */
  padrao: string
}

/** PADRAO: as the report declares them; NENHUM: the panel is hidden. */
export type TypedPanel = 'PADRAO' | 'NENHUM' | TypedPanelFilter[]

export const blankFilter: TypedPanelFilter = {
  tabela: '',
  coluna: '',
  rotulo: '',
  valores: '',
  padrao: '',
  tipo: 'TEXTO',
}

export const typedPanelOf = (declared: DeclaredPanelFilter[] | null): TypedPanel => {
  if (declared === null) return 'PADRAO'
  return declared.length === 0 ? 'NENHUM' : declared.map(typedFilterOf)
}

export const declaredPanelOf = (panel: TypedPanel): DeclaredPanelFilter[] | null => {
  if (panel === 'PADRAO') return null
  return panel === 'NENHUM' ? [] : panel.map(declaredFilterOf)
}

const typedFilterOf = ({ valores, padrao, ...filter }: DeclaredPanelFilter): TypedPanelFilter => ({
  ...filter,
  tipo: typeOf(valores[0]?.valor),
  valores: valores
    .map(({ valor, rotulo }) => {
      const text = textOf(valor)
      // The last ' = ' ends the value, so one that contains ' = ' is followed by another.
      return rotulo || text.includes(' = ') ? `${text} = ${rotulo}`.trimEnd() : text
    })
    .join('\n'),
  padrao: padrao === null ? '' : textOf(padrao),
})

const declaredFilterOf = ({ tipo, valores, padrao, ...filter }: TypedPanelFilter): DeclaredPanelFilter => ({
  ...filter,
  valores: linesOf(valores).map(({ value, label }) => ({ valor: typedValue(value, tipo), rotulo: label })),
  padrao: padrao === '' ? null : typedValue(padrao, tipo),
})

/** Returns the values of a list as typed, each with its label. */
export const linesOf = (text: string): { value: string; label: string }[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, value = line, label = ''] = /^(.*) =(?: (.*))?$/.exec(line) ?? []
      return { value: value.trim(), label: label.trim() }
    })

const typeOf = (value: PanelValue | undefined): ColumnType => {
  if (typeof value === 'number') return 'NUMERO'
  return typeof value === 'boolean' ? 'LOGICO' : 'TEXTO'
}

const textOf = (value: PanelValue): string => {
  if (typeof value === 'boolean') return value ? 'verdadeiro' : 'falso'
  return String(value)
}

/** A text that is none of the type stays a text: the portal refuses it and says why. */
const typedValue = (text: string, type: ColumnType): PanelValue => {
  if (type === 'LOGICO' && /^(verdadeiro|falso)$/i.test(text)) return text.toLowerCase() === 'verdadeiro'
  if (type !== 'NUMERO') return text
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : text
}

/** Returns the panel in words, to compare two states of a report. */
export const panelText = (panel: TypedPanel): string => {
  if (panel === 'PADRAO') return 'Os do relatório'
  if (panel === 'NENHUM') return 'Nenhum'
  return panel.map(({ tabela, coluna, rotulo }) => `${rotulo} (${tabela}/${coluna})`).join(', ')
}
