import { type Entity, entities, listCallOf, pageTitles } from '@bi-manager/contract'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { type OptionSearch, searchOptions } from '../../ui/search-select/select-options.ts'

const searchOf = (entity: Entity, name: string): OptionSearch<string> =>
  searchOptions(listCallOf(entity), (row) => ({
    value: String(row[entity.wireId ?? entity.id]),
    label: String(row[name]),
    description: entity.hint && String(row[entity.hint]),
  }))

/** Searches by name, by kind of object. */
export const objectSearches: Record<string, OptionSearch<string>> = {
  ...Object.fromEntries(
    entities.flatMap((entity: Entity) => (entity.name ? [[entity.kind, searchOf(entity, entity.name)]] : [])),
  ),
  pagina: async (text) =>
    Object.entries(pageTitles)
      .map(([value, label]) => ({ value, label }))
      .filter(({ label }) => matchesSearch(label, text)),
}
