import { type Call, profilesApi, reportRegistrationsApi, usersApi, workspacesApi } from '@bi-manager/contract'

/* Names of one long word, as Power BI's files and other systems have them. */

/** A name of one word, which differs by its number. */
export const longName = (number: number): string =>
  `Relatorio_Gerencial_Sinistralidade_Beneficiarios_2026_v${number}`

/** Gives every report, workspace, profile and person a name with a long word. */
export const lengthenNames = async (call: Call): Promise<void> => {
  for (const { idRelatorio: id, ...report } of await call(reportRegistrationsApi.list, { query: {} })) {
    const { idGrupoRelatorio, reportId, operadoraRelatorio } = report
    const nomeRelatorio = longName(id)
    await call(reportRegistrationsApi.update, {
      params: { id },
      body: { idGrupoRelatorio, nomeRelatorio, reportId, operadoraRelatorio },
    })
  }
  for (const { idGrupoRelatorio: id, idGrupo, idPowerBi } of await call(workspacesApi.list, { query: {} }))
    await call(workspacesApi.update, {
      params: { id },
      body: { nomeGrupo: `Workspace_Corporativo_Diretoria_Operacoes_${id}`, idGrupo, idPowerBi },
    })
  for (const { idUsuario: id, nomeUsuario } of await call(usersApi.list, { query: {} }))
    await call(usersApi.update, {
      params: { id },
      body: { nomeUsuario: `${nomeUsuario} Wolfeschlegelsteinhausenbergerdorffwelche` },
    })
  for (const { idPerfil: id } of await call(profilesApi.list, { query: {} }))
    await call(profilesApi.update, {
      params: { id },
      body: { nomePerfil: `Perfil_Diretoria_Operacoes_Assistenciais_Regionais_${id}` },
    })
}
