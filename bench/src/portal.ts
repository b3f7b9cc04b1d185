import { startProvider } from '@bi-manager/server/test/provider-stand-in'
import { createConnection, createReport, createWorkspace, grantReport } from '@bi-manager/server/test/reports'
import { startTestApp } from '@bi-manager/server/test/test-app'
import { createUser } from '@bi-manager/server/test/users'
import { type Load, measure } from './load.ts'

/** The portal on its embedded database: each call beside the bare `/healthz` of the same process. */
export const benchPortal = async (): Promise<Record<string, Load>> => {
  const provider = await startProvider()
  const { origin } = provider
  const app = await startTestApp({
    RATE_LIMIT_PER_MINUTE: '1000000',
    POWERBI_AUTHORITY_URL: origin,
    POWERBI_API_URL: origin,
    POWERBI_EMBED_URL: origin,
  })
  try {
    const { idPowerBi } = await createConnection(app)
    const few = await createUser(app)
    const many = await createUser(app)
    let address = {}
    for (let w = 0; w < 10; w += 1) {
      const { idGrupoRelatorio, idGrupo } = await createWorkspace(app, {
        idPowerBi,
        nomeGrupo: `Workspace ${w}`,
      })
      for (let r = 0; r < 20; r += 1) {
        const { idRelatorio, reportId } = await createReport(app, {
          idGrupoRelatorio,
          nomeRelatorio: `Relatório ${r}`,
        })
        await grantReport(app, many.idUsuario, idRelatorio)
        if (w === 0 && r < 5) await grantReport(app, few.idUsuario, idRelatorio)
        address = { groupId: idGrupo, reportId }
      }
    }
    const server = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const headers = async (user: typeof few) => ({ authorization: `Bearer ${(await app.as(user)).token}` })
    const json = { 'content-type': 'application/json' }
    return {
      'GET /healthz (baseline)': await measure({ url: `${server}/healthz` }),
      'GET /api/usuarios/sessao': await measure({
        url: `${server}/api/usuarios/sessao`,
        headers: await headers(few),
      }),
      'GET /api/usuarios/menus, 5 reports': await measure({
        url: `${server}/api/usuarios/menus`,
        headers: await headers(few),
      }),
      'GET /api/usuarios/menus, 200 reports': await measure({
        url: `${server}/api/usuarios/menus`,
        headers: await headers(many),
      }),
      'POST /api/usuarios/relatorio/embed, token shared': await measure({
        url: `${server}/api/usuarios/relatorio/embed`,
        method: 'POST',
        headers: { ...(await headers(many)), ...json },
        body: JSON.stringify(address),
      }),
      'POST /api/usuarios/authorizer': await measure({
        url: `${server}/api/usuarios/authorizer`,
        method: 'POST',
        // Attempts under way count against the account's limit.
        connections: 8,
        headers: json,
        body: JSON.stringify({ username: few.emailUsuario, password: few.password }),
      }),
    }
  } finally {
    await app.close()
    await provider.close()
  }
}
