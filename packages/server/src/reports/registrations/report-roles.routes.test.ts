import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { datasetId } from '../../../test/stand-ins/provider-stand-in.ts'
import { createUser } from '../../../test/users.ts'
import { signCommandCall } from '../../platform/commands/command-call.ts'
import { secretsOf } from '../../platform/config/secrets.ts'

const { suite, publish } = embeddingSuite()

describe('GET /usuarios/relatorio/:id/papeis', () => {
  const ask = async (dataset: object) => {
    suite.provider.answer('dataset', () => ({ body: { id: datasetId, ...dataset } }))
    const { report } = await publish()
    const { get } = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    return get(`/usuarios/relatorio/${report.idRelatorio}/papeis`)
  }

  test.each([
    [
      'required roles',
      { isEffectiveIdentityRequired: true, isEffectiveIdentityRolesRequired: true },
      [true, true, true],
    ],
    ['a required identity', { isEffectiveIdentityRequired: true }, [false, false, true]],
    ['optional roles', { '@biManager.hasRoles': true }, [true, false, false]],
    ['no roles', { '@biManager.hasRoles': false }, [false, false, false]],
  ])(
    'GET /usuarios/relatorio/:id/papeis returns %s of the dataset',
    async (_name, dataset, [temPapeis, exigePapeis, exigeIdentidade]) => {
      expect(await ask(dataset)).toMatchObject({
        status: 200,
        body: { temPapeis, exigePapeis, exigeIdentidade },
      })
    },
  )

  test('GET /usuarios/relatorio/:id/papeis answers 404 for an unknown report, and 503 when the provider does not answer', async () => {
    const { get } = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    expect((await get('/usuarios/relatorio/999999/papeis')).status).toBe(404)
    suite.provider.answer('dataset', () => ({ drop: true }))
    const { report } = await publish()
    expect((await get(`/usuarios/relatorio/${report.idRelatorio}/papeis`)).status).toBe(503)
  })
})

describe('POST /usuarios/relatorio/sem-papeis', () => {
  const path = '/usuarios/relatorio/sem-papeis'
  const ask = (ids: string[]) =>
    suite.app.anonymous.post(path, signCommandCall(suite.app.services.secrets, ids, suite.app.services.now()))

  test('POST /usuarios/relatorio/sem-papeis counts each user once, by grant, profile or ADMIN role, without blocked accounts', async () => {
    const { idPowerBi } = await createConnection(suite.app, { provedor: 'local' })
    const { idGrupoRelatorio } = await createWorkspace(suite.app, { idPowerBi, nomeGrupo: 'Gestão' })
    const [first, second, unseen] = [randomUUID(), randomUUID(), randomUUID()]
    const register = (reportId: string, nomeRelatorio: string, papeisRls: string[] = []) =>
      createReport(suite.app, {
        idGrupoRelatorio,
        reportId: reportId.toUpperCase(),
        nomeRelatorio,
        papeisRls,
      })
    const a = await register(first, 'Absenteísmo')
    const b = await register(second, 'Custos')
    const withRole = await register(first, 'Com papel', ['Operadora'])
    const c = await register(unseen, 'Não perguntado')

    const ana = await createUser(suite.app)
    for (const { idRelatorio } of [a, b, withRole, c])
      await grantReport(suite.app, ana.idUsuario, idRelatorio)
    const bia = await createUser(suite.app)
    const { idPerfil } = await suite.app.db
      .insertInto('perfil')
      .values({ nomePerfil: 'Perfil' })
      .returning('idPerfil')
      .executeTakeFirstOrThrow()
    await suite.app.db.insertInto('perfilUsuario').values({ idPerfil, idUsuario: bia.idUsuario }).execute()
    await suite.app.db
      .insertInto('perfilRelatorio')
      .values({ idPerfil, idRelatorio: b.idRelatorio })
      .execute()
    const blocked = await createUser(suite.app, { situacao: 'BLOQUEADO' })
    await grantReport(suite.app, blocked.idUsuario, a.idRelatorio)
    const { total: admins } = await suite.app.db
      .selectFrom('usuario')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('tipoUsuario', '=', 'ADMIN')
      .where('situacao', '=', 'ATIVO')
      .executeTakeFirstOrThrow()

    const { status, body } = await ask([first, second])
    expect(status).toBe(200)
    expect(body).toEqual({
      relatorios: [
        expect.objectContaining({ nomeRelatorio: 'Absenteísmo', nomeGrupo: 'Gestão', pessoas: admins + 1 }),
        expect.objectContaining({ idRelatorio: b.idRelatorio, pessoas: admins + 2 }),
      ],
      pessoas: admins + 2,
    })
  })

  test('POST /usuarios/relatorio/sem-papeis ignores reports of Microsoft', async () => {
    const { report } = await publish()
    expect((await ask([report.reportId])).body).toEqual({ relatorios: [], pessoas: 0 })
  })

  test('POST /usuarios/relatorio/sem-papeis answers 403 to an unsigned, altered or old question, for an ADMIN too', async () => {
    const { secrets } = suite.app.services
    const [asked, other] = [randomUUID(), randomUUID()]
    const good = signCommandCall(secrets, [asked], new Date())
    const stranger = signCommandCall(secretsOf(['s'.repeat(32)]), [asked], new Date())
    const old = signCommandCall(secrets, [asked], new Date(Date.now() - 61_000))
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    for (const body of [stranger, old, { ...good, relatorios: [other] }, { ...good, assinatura: '' }]) {
      expect((await suite.app.anonymous.post(path, body)).status).toBe(403)
      expect((await admin.post(path, body)).status).toBe(403)
    }
    expect((await suite.app.anonymous.post(path, good)).status).toBe(200)
  })
})
