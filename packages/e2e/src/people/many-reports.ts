import {
  grantsApi,
  type Report,
  reportRegistrationsApi,
  type Workspace,
  workspacesApi,
} from '@bi-manager/contract'
import { signedInClient } from './api.ts'
import { createPerson } from './create-person.ts'
import { people } from './people.ts'

export const WORKSPACES = 20
export const REPORTS_EACH = 15

/** Creates a reader who may see 300 reports in 20 workspaces, which the provider does not know. */
export const createManyReports = async (portal: string) => {
  const admin = await signedInClient(portal, people.admin)
  const reader = await createPerson(portal, 'Jornada Leitora', 'leitora.de.muitos@empresa.exemplo')
  const workspaces: Workspace[] = []
  const reports: Report[] = []
  const [known] = await admin.call(workspacesApi.list)
  if (!known) throw new Error('the demo has no workspace')
  for (let number = 1; number <= WORKSPACES; number += 1) {
    const workspace = await admin.call(workspacesApi.create, {
      body: {
        nomeGrupo: `Jornada: unidade ${number}`,
        idGrupo: crypto.randomUUID(),
        idPowerBi: known.idPowerBi,
      },
    })
    workspaces.push(workspace)
    const relatorios = Array.from({ length: REPORTS_EACH }, (_, index) => ({
      reportId: crypto.randomUUID(),
      nomeRelatorio: `Jornada: relatório ${index + 1}`,
      operadoraRelatorio: 'CNU',
    }))
    const params = { id: workspace.idGrupoRelatorio }
    reports.push(...(await admin.call(reportRegistrationsApi.import, { params, body: { relatorios } })))
  }
  await admin.call(grantsApi.replace, {
    params: { idUsuario: reader.idUsuario },
    body: { idRelatorios: reports.map(({ idRelatorio }) => idRelatorio) },
  })
  return {
    admin,
    reader,
    reports,
    remove: async () => {
      for (const { idRelatorio: id } of reports)
        await admin.call(reportRegistrationsApi.remove, { params: { id } })
      for (const { idGrupoRelatorio: id } of workspaces)
        await admin.call(workspacesApi.remove, { params: { id } })
      await reader.remove()
    },
  }
}
