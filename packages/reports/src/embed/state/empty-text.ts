import { describeFilter } from '@bi-manager/contract/filter-text'
import type { EmptyReason, VisualFilter } from '../../contract/embed-contract.ts'
import { type Described, labelOf, valueWords } from './filter-words.ts'
import { isBasic } from './filters.ts'

/** The title and the detail of the message in an empty visual. */
export type EmptyText = [title: string, detail?: string]

/** Says in Portuguese which filter or rule leaves a visual without rows. */
export function emptyText(
  reason: EmptyReason,
  filters: readonly VisualFilter[],
  report: Described,
): EmptyText {
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
function filterText(filter: VisualFilter, report: Described): string {
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
