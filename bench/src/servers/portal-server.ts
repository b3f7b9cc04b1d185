import { createConnection, createReport, createWorkspace, grantReport } from '@bi-manager/server/test/reports'
import { startProvider } from '@bi-manager/server/test/stand-ins/provider-stand-in'
import { startTestApp } from '@bi-manager/server/test/test-app'
import { createUser } from '@bi-manager/server/test/users'
import { hash } from '@node-rs/argon2'
import type { Target } from './load.ts'
import { serveUntilDisconnect } from './process.ts'

/*
 * A separate process: the portal on a fresh database, its provider served from the cache, and 20
 * signed-in users who each may see the same 200 reports.
 */

const PEOPLE = 20
const password = 'Uma senha de teste 7'

const provider = await startProvider()
const { origin } = provider
const app = await startTestApp({
  RATE_LIMIT_PER_MINUTE: '1000000',
  POWERBI_AUTHORITY_URL: origin,
  POWERBI_API_URL: origin,
  POWERBI_EMBED_URL: origin,
})
const { idPowerBi } = await createConnection(app)
// Hashed with the product's parameters, since signing in is measured.
const senhaHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
const people = await Promise.all(Array.from({ length: PEOPLE }, () => createUser(app, { senhaHash })))
let address = {}
for (let w = 0; w < 10; w += 1) {
  const workspace = await createWorkspace(app, { idPowerBi, nomeGrupo: `Workspace ${w}` })
  for (let r = 0; r < 20; r += 1) {
    const report = await createReport(app, {
      idGrupoRelatorio: workspace.idGrupoRelatorio,
      nomeRelatorio: `Relatório ${r}`,
    })
    for (const { idUsuario } of people) await grantReport(app, idUsuario, report.idRelatorio)
    address = { groupId: workspace.idGrupo, reportId: report.reportId }
  }
}
const server = await app.app.listen({ port: 0, host: '127.0.0.1' })
// Enough users that none exceeds the twenty sessions that each may have.
const atTheDoor = await Promise.all(Array.from({ length: 2000 }, () => createUser(app, { senhaHash })))
const tokens: string[] = []
for (const person of people) tokens.push((await app.as(person)).token)

const json = { 'content-type': 'application/json' }
const signedIn = tokens.map((token) => ({ authorization: `Bearer ${token}` }))
const calls: Record<string, Target> = {
  session: { url: `${server}/api/usuarios/sessao`, headers: signedIn },
  menu: { url: `${server}/api/usuarios/menus`, headers: signedIn },
  embed: {
    url: `${server}/api/usuarios/relatorio/embed`,
    method: 'POST',
    headers: signedIn.map((headers) => ({ ...headers, ...json })),
    body: JSON.stringify(address),
  },
  signIn: {
    url: `${server}/api/usuarios/authorizer`,
    method: 'POST',
    // This many users sign in at the same moment, from one network.
    connections: 32,
    headers: [json],
    bodies: atTheDoor.map(({ emailUsuario }) => JSON.stringify({ username: emailUsuario, password })),
  },
}
serveUntilDisconnect({ calls, key: app.services.secrets.tokenKeys[0] }, async () => {
  await app.close()
  await provider.close()
})
