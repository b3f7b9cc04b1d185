import type { ExternalGroup } from '@bi-manager/contract'
import { matchingObjects } from '../../ui/search-select/provider-field.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'

export const groupObject = ({ idGrupo, nomeGrupo }: ExternalGroup) => ({ value: idGrupo, label: nomeGrupo })

/**
 * Returns the connection's groups that match by name or id, with registered ones marked, followed
 * by the registered groups that the connection does not see.
 */
export const groupOptions = (
  text: string,
  live: ExternalGroup[],
  registered: SelectOption<string>[],
): SelectOption<string>[] => {
  const isRegistered = new Set(registered.map(({ value }) => value.toLowerCase()))
  const seen = matchingObjects(text, live.map(groupObject)).map((option) => ({
    ...option,
    mark: isRegistered.has(option.value.toLowerCase()) ? 'já cadastrado' : undefined,
  }))
  const known = new Set(live.map(({ idGrupo }) => idGrupo.toLowerCase()))
  const unseen = registered.filter(({ value }) => !known.has(value.toLowerCase()))
  return [...seen, ...unseen.map((option) => ({ ...option, description: option.value }))]
}
