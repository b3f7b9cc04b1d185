import { describeFilter } from '@bi-manager/contract/filter-text'
import type { Cell, EmbeddedVisual, EmptyReason, VisualFilter } from '../../wire/embed-contract.ts'
import { type Described, labelOf, valueWords } from './filter-words.ts'
import { isBasic } from './filters.ts'
import type { PageSelection } from './report-state.ts'

/** The title and the detail of the message in an empty visual, and a button that changes the choice. */
export type EmptyText = [title: string, detail?: string, wayBack?: WayBack]

export interface WayBack {
  label: string
  /** The drill path that the button opens; without one, it clears the selection of the page. */
  path?: readonly Cell[]
}

/** Says in Portuguese which filter or rule leaves a visual without rows. */
export const emptyText = (
  reason: Exclude<EmptyReason, { kind: 'drill' }>,
  filters: readonly VisualFilter[],
  report: Described,
): EmptyText => {
  if (reason.kind === 'data') return ['Sem dados', 'A tabela deste visual ainda não tem linhas.']
  if (reason.kind === 'rule') return ['Sem dados', ruleText(reason)]
  const texts = reason.filters.flatMap((at) => {
    const filter = filters[at]
    return filter ? [filterText(filter, report)] : []
  })
  const [only = ''] = texts
  if (texts.length === 1) return [`Sem dados com ${only}`]
  return ['Sem dados com estes filtros juntos', [...new Set(texts.map(withoutArticle))].join(' · ')]
}

/** Says that no row has the values of a drill path, up to the level of the reason. */
export const goneLevelText = (
  { level }: Extract<EmptyReason, { kind: 'drill' }>,
  { drill }: Pick<EmbeddedVisual, 'drill'>,
  path: readonly Cell[],
  report: Described,
): EmptyText => {
  const words = valueWords(report)(undefined, drill?.levels[level]?.kind)(path[level] ?? null)
  const above = path.slice(0, level)
  return goneText(words, { label: level === 0 ? 'Voltar a Tudo' : 'Voltar um nível', path: above })
}

/** Says that no row has the value that was picked in another visual. */
export const goneSelectionText = ({ filters, value }: PageSelection, report: Described): EmptyText =>
  goneText(valueWords(report)(filters.at(-1)?.target)(value), { label: 'Limpar seleção' })

const goneText = (words: string, wayBack: WayBack): EmptyText => [
  `“${words}” não está nos dados`,
  'O valor escolhido saiu dos dados ou mudou depois da escolha.',
  wayBack,
]

const ruleText = ({ rules, lacksCustomData }: Extract<EmptyReason, { kind: 'rule' }>): string => {
  if (!rules)
    return lacksCustomData
      ? 'As linhas dependem da sua identidade de segurança, que não foi informada. Peça-a a um administrador.'
      : 'A regra de linha do seu perfil não deixa nenhuma linha para você.'
  const names = rules.roles.map((role) => `“${role}”`).join(', ')
  const subject =
    rules.roles.length === 1
      ? `A regra de linha ${names} não deixa`
      : `As regras de linha ${names} não deixam`
  const identity =
    rules.customData === null
      ? 'que não tem identidade de segurança'
      : `com a identidade de segurança “${rules.customData}”`
  return `${subject} nenhuma linha para ${rules.username}, ${identity}.`
}

/** 'o filtro Competência = 2026-01', or without its name when the embedder hides it. */
const filterText = (filter: VisualFilter, report: Described): string => {
  const { target } = filter
  if (Array.isArray(target) || 'isExclude' in filter || 'itemCount' in filter) return 'um filtro deste visual'
  if (isHidden(filter)) return 'um filtro do relatório'
  const text = valueWords(report)(target)
  const label = labelOf(target, report)
  if (isBasic(filter) && filter.operator === 'In' && filter.values.length === 1)
    return `o filtro ${label} = ${text(filter.values[0] ?? null)}`
  return `o filtro ${label}: ${describeFilter(filter, text)}`
}

const withoutArticle = (text: string) => text.replace(/^o filtro /, '')

const isHidden = ({ displaySettings }: VisualFilter): boolean =>
  typeof displaySettings === 'object' &&
  displaySettings !== null &&
  'isHiddenInViewMode' in displaySettings &&
  displaySettings.isHiddenInViewMode === true
