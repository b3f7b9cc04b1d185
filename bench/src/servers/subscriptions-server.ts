import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSubscription } from '@bi-manager/server/test/distribution/subscriptions'
import { createConnection, createReport, createWorkspace } from '@bi-manager/server/test/reports'
import { startSmtp } from '@bi-manager/server/test/stand-ins/smtp'
import { startTestApp } from '@bi-manager/server/test/test-app'
import { createUser } from '@bi-manager/server/test/users'
import { reportId, rowRole, workspaceId } from '../data/reports-data.ts'
import { serveUntilDisconnect } from './process.ts'

/*
 * A separate process: the portal with one subscription of many recipients, whose report is at the
 * real report service, and a mail server. A second HTTP server makes the subscription due.
 */

interface Asked {
  origin: string
  application: { clientId: string; clientSecret: string }
  recipients: number
  identities: number
}

const { origin, application, recipients, identities }: Asked = JSON.parse(process.argv[2] ?? '')
let mails = 0
// Accepts messages without reading them: the mail server of an installation is another machine.
const smtp = await startSmtp({
  onData: (stream, _session, done) => {
    stream.resume().once('end', () => {
      mails += 1
      done()
    })
  },
})
const app = await startTestApp({
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_PER_PERSON: '1000000',
  REPORTS_URL: origin,
  SMTP_URL: smtp.url,
})
const { db, services } = app
const { idPowerBi } = await createConnection(app, {
  provedor: 'local',
  username: application.clientId,
  tenantId: null,
  applicationId: null,
  segredo: services.secrets.encrypt(application.clientSecret),
})
const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi, idGrupo: workspaceId })
const report = await createReport(app, {
  idGrupoRelatorio,
  reportId,
  nomeRelatorio: 'Sinistros',
  papeisRls: [rowRole.name],
  usuarioIdentidade: 'assinaturas',
})
const owner = await createUser(app, { tipoUsuario: 'ADMIN' })
const people = await Promise.all(
  Array.from({ length: recipients }, (_, n) => createUser(app, { identidadeRls: String(n % identities) })),
)
const ids = people.map(({ idUsuario }) => idUsuario)
await db
  .insertInto('relatorioUsuario')
  .values(ids.map((idUsuario) => ({ idUsuario, idRelatorio: report.idRelatorio })))
  .execute()
await db.updateTable('assinaturaRegras').set({ anexosRestritos: true, versao: 2 }).execute()
await createSubscription(
  app,
  { idRelatorio: report.idRelatorio, idDono: owner.idUsuario, entrega: 'ANEXO', pagina: 'Custos' },
  ids,
)
const server = await app.app.listen({ port: 0, host: '127.0.0.1' })
const { startSubscriptions } = await import('@bi-manager/server/distribution/subscriptions/subscriptions.job')
const { testSender } = await import('@bi-manager/server/test/mails')
const log = { warn: () => {}, error: console.error } as never
const work = startSubscriptions(services, log)
const sender = testSender(services, log)
sender.start()

let startedAt = 0
let endedAt = 0
const control = createServer(async (request, response) => {
  if (request.method === 'POST') {
    startedAt = performance.now()
    await db.updateTable('assinatura').set({ proximaEm: new Date() }).execute()
    return void response.end()
  }
  if (mails === recipients) endedAt ||= performance.now()
  const { files } = await db
    .selectFrom('assinaturaArquivo')
    .select(({ fn }) => fn.countAll<number>().as('files'))
    .executeTakeFirstOrThrow()
  const seconds = ((endedAt || performance.now()) - startedAt) / 1000
  response.end(JSON.stringify({ mails, files: Number(files), seconds }))
})
await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
const controlled = `http://127.0.0.1:${(control.address() as AddressInfo).port}`

const { token } = await app.as(people[0] ?? owner)
const headers = [{ authorization: `Bearer ${token}` }]
const embed = { groupId: workspaceId, reportId, idRelatorio: report.idRelatorio }
const calls = {
  session: { url: `${server}/api/usuarios/sessao`, headers },
  menu: { url: `${server}/api/usuarios/menus`, headers },
  embed: {
    url: `${server}/api/usuarios/relatorio/embed`,
    method: 'POST',
    headers: [{ ...headers[0], 'content-type': 'application/json' }],
    body: JSON.stringify(embed),
  },
}
serveUntilDisconnect({ calls, start: controlled, state: controlled }, async () => {
  await work.stop()
  await sender.close()
  control.close()
  await app.close()
  await smtp.close()
})
