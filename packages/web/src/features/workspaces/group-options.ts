import type { ExternalGroup } from '@bi-manager/contract'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { OPTIONS_AT_MOST, type SelectOption } from '../../ui/search-select/select-options.ts'

/**
 * Returns the connection's groups that match by name or id, with registered ones marked, followed
 * by the registered groups that the connection does not see.
 */
export const groupOptions = (
  text: string,
  live: ExternalGroup[],
  registered: SelectOption<string>[],
): SelectOption<string>[] => {
  const names = new Map(registered.map(({ value, label }) => [value.toLowerCase(), label]))
  const seen = live
    .filter(({ idGrupo, nomeGrupo }) => matchesSearch(`${nomeGrupo} ${idGrupo}`, text))
    .slice(0, OPTIONS_AT_MOST)
    .map(({ idGrupo, nomeGrupo }) => ({
      value: idGrupo,
      label: nomeGrupo,
      description: idGrupo,
      mark: names.has(idGrupo.toLowerCase()) ? 'já cadastrado' : undefined,
    }))
  const known = new Set(live.map(({ idGrupo }) => idGrupo.toLowerCase()))
  const unseen = registered.filter(({ value }) => !known.has(value.toLowerCase()))
  return [...seen, ...unseen.map((option) => ({ ...option, description: option.value }))]
}
