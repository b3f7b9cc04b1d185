import {
  connectionsApi,
  pageTitles,
  profilesApi,
  reportRecordsApi,
  responsiblesApi,
  usersApi,
  workspacesApi,
} from '@bi-manager/contract'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { type OptionSearch, searchOptions } from '../../ui/search-select/select-options.ts'

const option = (id: number | string, label: string, description?: string) => ({
  value: String(id),
  label,
  description,
})

/** Searches by name, by kind of object. */
export const objectSearches: Record<string, OptionSearch<string>> = {
  usuario: searchOptions(usersApi.list, ({ idUsuario, nomeUsuario, emailUsuario }) =>
    option(idUsuario, nomeUsuario, emailUsuario),
  ),
  relatorio: searchOptions(reportRecordsApi.list, ({ idRelatorio, nomeRelatorio, nomeGrupo }) =>
    option(idRelatorio, nomeRelatorio, nomeGrupo),
  ),
  workspace: searchOptions(workspacesApi.list, ({ idGrupoRelatorio, nomeGrupo, nomePowerBi }) =>
    option(idGrupoRelatorio, nomeGrupo, nomePowerBi),
  ),
  powerbi: searchOptions(connectionsApi.list, ({ idPowerBI, nome, username }) =>
    option(idPowerBI, nome, username),
  ),
  perfil: searchOptions(profilesApi.list, ({ idPerfil, nomePerfil }) => option(idPerfil, nomePerfil)),
  responsible: searchOptions(responsiblesApi.list, ({ idResponsavel, nomeResponsavel }) =>
    option(idResponsavel, nomeResponsavel),
  ),
  pagina: async (text) =>
    Object.entries(pageTitles)
      .map(([rota, title]) => option(rota, title))
      .filter(({ label }) => matchesSearch(label, text)),
}
