import { beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()
let admin: Awaited<ReturnType<TestApp['as']>>
let clienteId: number
beforeEach(async () => {
  app.clock.offsetMs = 0
  const user = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  clienteId = user.idUsuario
  admin = await app.as(user)
})

const url = '/usuarios/powerbi'
const password = 'um segredo bem guardado'
const draft = (fields = {}) => ({
  nome: 'Matriz',
  username: 'bi@exemplo.com.br',
  password,
  clienteId,
  idResponsavel: 1,
  ...fields,
})
const passwordOf = async (id: number) => {
  const query = app.db.selectFrom('powerbi').select('segredo').where('idPowerBi', '=', id)
  return app.services.secrets.decrypt((await query.executeTakeFirstOrThrow()).segredo)
}
const minute = 60_000
const told = async () => {
  const rows = await app.db
    .selectFrom('notificacao')
    .select(['idUsuario', 'texto'])
    .where('tipo', '=', 'seguranca_alterada')
    .orderBy('idNotificacao')
    .execute()
  return rows.map(({ idUsuario, texto }) => [idUsuario, texto])
}
const codeOf = ({ status, body }: { status: number; body: { codigo?: string } }) => body?.codigo ?? status
const late = () => {
  app.clock.offsetMs = 11 * minute
}
test('a credential is created, replaced and deleted only within ten minutes of the password', async () => {
  const { body: known } = await admin.post(url, draft())
  const own = `${url}/${known.idPowerBI}`
  late()
  const calls = [
    () => admin.post(url, draft({ nome: 'Outra' })),
    () => admin.put(own, draft({ password: 'um segredo novo' })),
    () => admin.put(own, draft({ password: null, username: 'outro@exemplo.com.br' })),
    () => admin.del(own),
  ]
  for (const send of calls) expect(codeOf(await send())).toBe('reautenticacao_necessaria')
  expect(await passwordOf(known.idPowerBI)).toBe(password)
  expect(codeOf(await admin.put(own, { ...draft({ nome: 'Filial' }), password: null }))).toBe(200)
})

test('a changed credential is reported to every officer and ADMIN but the one who changed it', async () => {
  const officer = await createUser(app, { encarregadoDados: true })
  const colleague = await createUser(app, { tipoUsuario: 'ADMIN' })
  const { body: known } = await admin.post(url, draft())
  const own = `${url}/${known.idPowerBI}`
  await admin.put(own, draft({ nome: 'Filial', password: null }))
  await admin.put(own, draft({ nome: 'Filial', password: 'um segredo novo' }))
  await admin.del(own)
  const texts = [
    'Marina Alves cadastrou a credencial do Powerbi Matriz.',
    'Marina Alves trocou a credencial do Powerbi Filial.',
    'Marina Alves excluiu o Powerbi Filial, com a credencial.',
  ]
  const both = texts.flatMap((text) => [
    [colleague.idUsuario, text],
    [officer.idUsuario, text],
  ])
  expect((await told()).toSorted()).toEqual(both.toSorted())
})
