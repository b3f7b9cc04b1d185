import { grantsApi, type ReportChoice, workspacesApi } from '@bi-manager/contract'
import { call } from '../../lib/api/api.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

export const loadChoices = (
  idUsuario: number,
  idGrupoRelatorio: number,
  signal?: AbortSignal,
): Promise<ReportChoice[]> =>
  call(grantsApi.listOfGroup, { params: { idUsuario, idGrupoRelatorio } }, signal && { signal })

export const tickedOf = (choices: readonly ReportChoice[]): ReportChoice[] =>
  choices.filter(({ isChecked }) => isChecked)

export const searchWorkspaces = searchOptions(workspacesApi.options, ({ idGrupoRelatorio, nomeGrupo }) => ({
  value: idGrupoRelatorio,
  label: nomeGrupo,
}))
