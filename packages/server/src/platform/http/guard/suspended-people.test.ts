import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStream } from '../../../../test/accounts/live-stream.ts'
import { mailsOf } from '../../../../test/mails.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../../test/reports.ts'
import { startProvider } from '../../../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../../../test/test-app.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser, password } from '../../../../test/users.ts'
import { createLink } from '../../../accounts/credentials/account-links.ts'

/* One of the classes of mistakes of bug-classes.test.ts. */

type Session = Awaited<ReturnType<TestApp['as']>>

let provider: Awaited<ReturnType<typeof startProvider>>
let workspace: Awaited<ReturnType<typeof createWorkspace>>
let report: Awaited<ReturnType<typeof createReport>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
const app = useTestApp(
  () => ({
    ...provider.settings,
    RATE_LIMIT_PER_MINUTE: '1000000',
  }),
  { resets: false },
)
beforeAll(async () => {
  const { idPowerBi } = await createConnection(app)
  workspace = await createWorkspace(app, { idPowerBi })
  report = await createReport(app, { idGrupoRelatorio: workspace.idGrupoRelatorio })
})

const embed = (session: Session) =>
  session.post('/usuarios/relatorio/embed', {
    groupId: workspace.idGrupo,
    reportId: report.reportId,
    idRelatorio: report.idRelatorio,
  })

describe('a suspended user is still served (Directus GHSA-56p6-qw3c-fq2g)', () => {
  test.each([
    ['BLOQUEADO', { situacao: 'BLOQUEADO' as const }],
    ['PENDENTE', { situacao: 'PENDENTE' as const }],
    ['ended', { venceEm: new Date(Date.now() - 1_000) }],
  ])('%s: gets no call, stream, sign-in, link or recovery', async (_, change) => {
    const origin = app.app.server.listening
      ? `http://127.0.0.1:${(app.app.server.address() as { port: number }).port}`
      : await app.app.listen({ port: 0, host: '127.0.0.1' })
    const user = await createUser(app)
    await grantReport(app, user.idUsuario, report.idRelatorio)
    const session = await app.as(user)
    const stream = await openStream(origin, session.token)
    expect((await embed(session)).status).toBe(200)
    const link = await createLink(app.db, app.services, { idUsuario: user.idUsuario, tipo: 'recuperacao' })
    await app.db.updateTable('usuario').set(change).where('idUsuario', '=', user.idUsuario).execute()
    for (const url of ['/usuarios/sessao', '/usuarios/menus', '/notificacoes', '/usuarios/eventos']) {
      expect((await session.get(url)).status, url).toBe(401)
    }
    expect((await embed(session)).status).toBe(401)
    await expect.poll(stream.hasEnded, { timeout: 5_000 }).toBe(true)
    const { emailUsuario } = user
    const signIn = await app.anonymous.post('/usuarios/authorizer', { username: emailUsuario, password })
    expect([signIn.status, signIn.body.codigo]).toEqual([401, 'credenciais_invalidas'])
    const reset = await app.anonymous.post('/login/redefinir-senha', {
      token: link,
      novaSenha: 'Uma senha boa 11',
    })
    expect(reset.status).toBe(400)
    const before = (await mailsOf(app)).length
    expect((await app.anonymous.post('/login/recuperar-senha', { email: emailUsuario })).status).toBe(202)
    expect((await mailsOf(app)).slice(before).filter(({ para }) => para === emailUsuario)).toEqual([])
  })
})
